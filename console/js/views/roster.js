// The roster of the fleet: a device's groups, preferred bridge and name.

import { DeviceActions } from "../card.js";
import { bridges, byName, devices } from "../catalog.js";
import { grouping, groupsOf, groupsTopic, mayNameGroup, preferring, roster } from "../fleet.js";
import { pairs } from "../messages.js";
import { Alert, Answer, Choose, html, Locked, quiet, Text, useAsk, useMay, useState } from "../ui.js";
import { t } from "../words.js";

export function Roster({ store }) {
  const may = useMay(groupsTopic);
  const entries = [...roster(store).entries].map(([address, entry]) => ({ ...entry, address })).sort(byName);
  const [wanted, choose] = useState(null);
  const entry = entries.find(({ address }) => address === wanted) ?? entries[0];
  return html`<section class="roster"><h2>${t("roster")}</h2>${quiet("roster.text")}<${Locked} may=${may} />
    ${entry ? html`<div class="card"><${Choose} label="view.device" value=${entry.address} onchange=${choose}
        choices=${entries.map(({ address, name }) => [address, `${name} (${address})`])} />
      <${Entry} key=${entry.address} store=${store} entry=${entry} isLocked=${may?.allowed === false} /></div>`
    : quiet("roster.none")}</section>`;
}

function Entry({ store, entry: { address, name, preferred }, isLocked }) {
  const [answer, request] = useAsk();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const write = ({ topic, message }) => request(topic, message);
  const groups = groupsOf(store);
  const isBusy = isLocked || answer === "waiting";
  const add = async (event) => {
    event.preventDefault();
    const isAllowed = groups[text] || mayNameGroup(store, text);
    setProblem(isAllowed ? "" : t("roster.problem", { name: text }));
    if (isAllowed && (await write(grouping(store, text, name, true))).status === "ok") setText("");
  };
  const device = devices(store).find((one) => one.address === address);
  // A list of several bridges, which `fleet apply` writes, is offered as it is.
  const lists = [...new Set([preferred.join(", "), "", ...bridges(store)])];
  return html`<${Choose} label="roster.preferred" value=${preferred.join(", ")} disabled=${isBusy}
      onchange=${(list) => write(preferring(store, address, list.split(", ").filter(Boolean)))} choices=${lists.map((list) => [list, list || t("roster.any")])} />
    <fieldset class="row"><legend>${t("roster.groups", { device: name })}</legend>${pairs(groups).map(([group, members]) =>
    html`<label class="check" key=${group}><input type="checkbox" checked=${members.includes(name)} disabled=${isBusy}
      onchange=${({ target }) => write(grouping(store, group, name, target.checked))} />${group}</label>`)}</fieldset>
    <form class="row end" onsubmit=${add}><${Text} label="roster.new" value=${text} onchange=${setText} />
      <button disabled=${isBusy || !text}>${t("roster.add")}</button></form>
    <${Alert} text=${problem} /><${Answer} answer=${answer} />
    ${device ? html`<${DeviceActions} device=${device} />` : null}`;
}
