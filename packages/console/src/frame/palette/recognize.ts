/** What a text is by its form alone. */
type Recognized = { readonly kind: 'ip' | 'hash' | 'uuid' | 'technique'; readonly value: string }

const forms = [
  ['technique', /^t\d{4}(?:\.\d{3})?$/i],
  ['uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i],
  ['hash', /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i],
  ['ip', /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/],
  // Two colons at least: a time of day has one or two, and no letters or empty parts.
  ['ip', /^(?=.*::|(?:[0-9a-f]{1,4}:){7})[0-9a-f:]{2,39}$/i],
] as const

/** Recognizes an address, a hash, the id of an entry or a technique of ATT&CK that is typed whole. */
export function recognize(typed: string): Recognized | undefined {
  const text = typed.trim()
  const [kind] = forms.find(([, form]) => form.test(text)) ?? []
  if (kind === undefined) return undefined
  return { kind, value: kind === 'technique' ? text.toUpperCase() : text }
}
