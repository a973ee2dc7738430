/** Texts that differ from run to run, by the name of their field. */
const replacements: { readonly [field: string]: string } = {
  access_token: '<access token>',
  current_password: '<password>',
  cursor: '<cursor>',
  hash: '<hash>',
  key: '<API key>',
  kid: '<key id>',
  new_password: '<new password>',
  next_cursor: '<cursor>',
  one_time_password: '<one-time password>',
  password: '<password>',
  prev_hash: '<hash>',
  secret: '<secret>',
  ticket: '<ticket>',
  token: '<token>',
  uri: '<otpauth URI>',
  x: '<public key>',
}

/** Ids that the samples choose. */
const fixedIds = /^0198f1c0-7a10-4c3e-9b1e-/
const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g

/** Replaces what differs from run to run in one example: ids are numbered as they appear, secrets and measures are fixed. */
export class ExampleNormalizer {
  readonly #ids = new Map<string, string>()

  readonly normalize = (value: unknown, field = ''): unknown => {
    if (typeof value === 'string') return this.#normalizeText(value, field)
    if (typeof value === 'number') return field.endsWith('_ms') ? 0 : value
    if (Array.isArray(value)) return value.map((item) => this.normalize(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.normalize(inner, name)]))
  }

  #normalizeText(text: string, field: string): string {
    const replacement = replacements[field]
    if (replacement !== undefined) return replacement
    // Users of tests are numbered over all servers of a process.
    const named = text.replaceAll(/([a-z]+)-\d+@example\.org/g, '$1@example.org')
    // The public part of an API key.
    if (field === 'id' && /^[0-9a-z]{8}$/.test(named) && !named.startsWith('known')) return 'a1b2c3d4'
    return named.replaceAll(idPattern, (id) => (fixedIds.test(id) ? id : this.#numberId(id)))
  }

  #numberId(id: string): string {
    const number = this.#ids.get(id) ?? String(this.#ids.size + 1)
    this.#ids.set(id, number)
    return id.includes('-') ? `019a9fc5-f800-7000-8000-${number.padStart(12, '0')}` : number.padStart(32, '0')
  }
}
