/** The two published forms of the public API: A has camelCase and pages from 0, B snake_case and pages from 1. */
export const profiles = ['a', 'b'] as const
export type Profile = (typeof profiles)[number]

/** A value for each profile. */
export type ByProfile<Value> = { readonly [profile in Profile]: Value }

/** What the profiles call one thing whose internal name is snake_case, such as a field or a parameter. */
export type Naming = Partial<ByProfile<string>>

const casing: ByProfile<(name: string) => string> = {
  a: (name) => name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()),
  b: (name) => name,
}

/** Names in a profile: stated where it deviates, else derived from the internal name. */
export function toProfileName(profile: Profile, name: string, stated: Naming = {}): string {
  return stated[profile] ?? casing[profile](name)
}
