/** What we use of the `TextEncoder` that browsers, workers and Node have, and the bare language has not. */
type Encoder = { readonly encodeInto: (text: string, into: Uint8Array) => { readonly read: number; readonly written: number } }

const { TextEncoder } = globalThis as { readonly TextEncoder?: new () => Encoder }

/** The platform's encoder of UTF-8; undefined where there is none. */
export const textEncoder: Encoder | undefined = TextEncoder === undefined ? undefined : new TextEncoder()
