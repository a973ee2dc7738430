/** Why a text is not valid YAML, and where. */
export type YamlProblem = { readonly message: string; readonly offset: number }

/** Reasons of the parser that stand where a text, list or map ends too late, and not where it begins. */
const unclosed = /^(?:deficient indentation|unexpected end of the stream within)/

/** What a mark begins. */
const openers: { readonly [mark: string]: string } = { "'": 'text', '"': 'text', '[': 'list', '{': 'map' }

/** Says in the words of a rule's author what the parser of YAML found at an offset, and what to write instead. */
export function describeYamlProblem(reason: string, offset: number, text: string): YamlProblem {
  const opener = unclosed.test(reason) ? findOpener(text, offset) : undefined
  if (opener !== undefined) {
    const mark = text[opener]!
    return { message: `the YAML is not valid: the ${openers[mark]} that begins with ${mark} here is not closed`, offset: opener }
  }
  const remedy = findRemedy(reason, offset, text)
  return { message: `the YAML is not valid: ${reason}${remedy === undefined ? '' : `; ${remedy}`}`, offset }
}

function findRemedy(reason: string, offset: number, text: string): string | undefined {
  if (reason.startsWith('unknown escape sequence')) return 'write a text with backslashes in single quotes'
  if (reason !== 'bad indentation of a mapping entry') return undefined
  const here = text[offset] ?? ''
  if ('@%`'.includes(here) && here !== '') return `write a value that begins with ${here} in quotes`
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  if (here === ':' && line.includes(': ')) return "write a value that has ': ' in quotes"
  return text[offset - 1] === "'" ? 'write a quote within single quotes twice' : undefined
}

/** The quote or bracket before `end` that is still open there. */
function findOpener(text: string, end: number): number | undefined {
  const brackets: number[] = []
  for (let i = 0; i < end; i++) {
    const mark = text[i]!
    if (mark === '#' && (i === 0 || /\s/.test(text[i - 1]!))) i = findLineEnd(text, i)
    else if ((mark === "'" || mark === '"') && isValueStart(text, i)) {
      const close = findQuoteEnd(text, i)
      if (close === undefined || close >= end) return i
      i = close
    } else if ((mark === '[' || mark === '{') && isValueStart(text, i)) brackets.push(i)
    else if (mark === ']' || mark === '}') brackets.pop()
  }
  return brackets.at(-1)
}

/** Whether a value may begin here: text before it on its line would make a quote or bracket a part of that. */
function isValueStart(text: string, offset: number): boolean {
  let before = offset - 1
  while (text[before] === ' ' || text[before] === '\t') before--
  const mark = text[before]
  if (mark === undefined || mark === '\n' || '[{,'.includes(mark)) return true
  return ':-?'.includes(mark) && before < offset - 1
}

function findQuoteEnd(text: string, start: number): number | undefined {
  const quote = text[start]
  for (let i = start + 1; i < text.length; i++) {
    if (quote === '"' && text[i] === '\\') i++
    else if (quote === "'" && text[i] === "'" && text[i + 1] === "'") i++
    else if (text[i] === quote) return i
  }
  return undefined
}

function findLineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end
}
