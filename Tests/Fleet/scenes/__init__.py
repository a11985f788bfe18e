"""What happens to a fleet. Each scene is a function of a work folder, the programs' folder and the options."""

from machines import Missing  # noqa: F401, what a scene fails with


class Lacking(Exception):
    """What a scene needs is not there."""


from scenes import cable, crowd, failover, restart, upgrade  # noqa: E402

ALL = {"pair": failover.pair, "ejabberd": failover.ejabberd, "cable": cable.cable, "restart": restart.restart,
       "upgrade": upgrade.upgrade, "crowd": crowd.crowd, "ten": crowd.ten}
# Needs more processors than two to come to rest.
ONLY_IF_NAMED = {"ten"}
