/** What a user prefers: a JSON object whose meaning the console alone knows. */
export type Preferences = {
  readonly content: { readonly [name: string]: unknown }
  /** Counts the changes; 0 for a user who never changed any. */
  readonly version: number
}
