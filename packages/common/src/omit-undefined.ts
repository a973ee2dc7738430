/** Copies an object without its undefined fields. */
export function omitUndefined<Fields extends { readonly [name: string]: unknown }>(
  fields: Fields,
): { [name in keyof Fields]?: Exclude<Fields[name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [name in keyof Fields]?: Exclude<Fields[name], undefined> }
}
