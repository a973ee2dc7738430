/** The part of `TextEncoder` in use. Browsers, workers and Node have it, but it is not part of ECMAScript. */
type Encoder = {
  readonly encode: (text: string) => Uint8Array
  readonly encodeInto: (text: string, into: Uint8Array) => { readonly read: number; readonly written: number }
}

const { TextEncoder } = globalThis as { readonly TextEncoder?: new () => Encoder }

/** The platform's UTF-8 encoder; undefined when there is none. */
export const textEncoder: Encoder | undefined = TextEncoder === undefined ? undefined : new TextEncoder()
