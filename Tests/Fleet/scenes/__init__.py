"""The scenes of failures. Each is a function of a work folder, the programs' folder and the options."""

from machines import Missing  # noqa: F401, what a scene fails with


class Lacking(Exception):
    """The error of a missing requirement."""


from scenes import cable, crowd, failover, restart, upgrade, walk, waves  # noqa: E402

ALL = {"pair": failover.pair, "ejabberd": failover.ejabberd, "cable": cable.cable, "restart": restart.restart,
       "upgrade": upgrade.upgrade, "waves": waves.waves, "crowd": crowd.crowd, "ten": crowd.ten,
       "walk": walk.walk, "walk-long": walk.walk_long}
# `ten` becomes idle only with more than two processors.
ONLY_IF_NAMED = {"ten", "walk-long"}
