// Which device a view is about. Pure.
//
// It is chosen by its address, which no rename changes, and never another one takes its place.

export class Choice {
  /** The address that is chosen; null where none is. */
  address;
  /** The device with this address, or null. */
  device = null;
  /** Whether it has another name than when it was chosen. */
  renamed = false;
  #name = null;

  constructor(address = null) { this.address = address || null; }

  choose(address) {
    this.address = address || null;
    this.device = null;
    this.renamed = false;
    this.#name = null;
  }

  /**
   * Takes the devices that there are. A single one is chosen where nothing was chosen before.
   *
   * Gives why what was chosen must not be controlled any more: "gone", "renamed", or null.
   */
  update(devices) {
    const before = this.device;
    if (!this.address && devices.length === 1) this.address = devices[0].address;
    const same = devices.filter(({ address }) => address === this.address);
    this.device = same.find(({ online }) => online) ?? same[0] ?? null;
    if (!this.device) return before ? "gone" : null;
    const { name } = this.device;
    const isNew = this.#name !== null && this.#name !== name;
    this.renamed ||= isNew;
    this.#name = name;
    return isNew ? "renamed" : null;
  }

  /** Whether a device is chosen that is not there. */
  get missing() { return this.address !== null && this.device === null; }

  /** What a select offers: what is missing stays chosen, and nothing is chosen unless it was. */
  options(devices, words) {
    const names = devices.map(({ name }) => name);
    const rows = devices.map(({ name, address }) =>
      [address, names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${address})`]);
    if (this.missing) rows.unshift([this.address, words.missing(this.address)]);
    if (!this.address) rows.unshift(["", words.none]);
    return rows;
  }
}
