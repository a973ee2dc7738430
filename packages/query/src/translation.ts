/** What one language says in another: the text, or the parts that have no words there. */
export type Translation<Text extends string = 'text'> =
  | { readonly [name in Text]: string }
  | { readonly unsaid: readonly string[] }
