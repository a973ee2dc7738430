/** A text as the value of a Sigma rule that stands for itself: `*`, `?` and `\` are no wildcards. */
export function toSigmaLiteral(text: string): string {
  return text.replaceAll(/[\\*?]/g, String.raw`\$&`)
}
