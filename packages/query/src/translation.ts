/** A translation to another language: the text, or the parts that cannot be expressed there. */
export type Translation<Text extends string = 'text'> =
  | { readonly [name in Text]: string }
  | { readonly unsaid: readonly string[] }
