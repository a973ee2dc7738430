/** Phrases that make prose read as translated, and what a plain sentence has in their place. */
export const oddPhrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bnobody\b/i, 'no user, no one, or the thing that does not happen'],
  [/\bsomebody\b/i, 'a user, an admin, a sender'],
  [/\bwhoever\b/i, 'the user who, a client that'],
  [/\b(?:is|are) told\b(?! apart)/i, 'gets, learns, is reported'],
  [/\btold apart\b/i, 'identified by, distinguished, separated'],
  [/\bsays of\b/i, 'reports, validates'],
  [/\blets? in\b/i, 'accepts'],
  [/\bthe dearest\b/i, 'the slowest'],
]

/** Keeps the titles and comments of a test and empties its other lines, which hold data. */
export function keepTitlesAndComments(text: string): string {
  const title = /(?:\b(?:test|describe|it)\b[^'"`]*|^\s*\]\))\((?<title>'.*?'|".*?"|`.*?`)/
  const comment = /^\s*(?:\/\/|\/?\*).*/
  return text.split('\n').map((line) => title.exec(line)?.groups?.['title'] ?? comment.exec(line)?.[0] ?? '').join('\n')
}

/** Lists the lines of a text that have an odd phrase, as `path:line phrase`. */
export function findOddPhrases(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = oddPhrases.flatMap(([phrase]) => phrase.exec(line)?.[0] ?? [])
    return found.map((phrase) => `${path}:${index + 1} ${phrase}`)
  })
}
