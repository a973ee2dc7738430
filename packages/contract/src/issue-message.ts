import type { z } from 'zod'

const typeNames: { readonly [type: string]: string } = {
  string: 'a string', number: 'a number', int: 'a whole number', boolean: 'true or false', array: 'an array', object: 'an object',
  record: 'an object', null: 'null',
}

/** The default message for an invalid value whose schema has none of its own. */
export const describeZodIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${typeNames[issue.expected] ?? `of type ${issue.expected}`}`
    case 'too_small':
      return describeBound('least', issue.minimum, issue.origin)
    case 'too_big':
      return describeBound('most', issue.maximum, issue.origin)
    case 'invalid_union':
      return describeOptions(issue.errors)
    default:
      return undefined
  }
}

/** What each form of a value lacks, such as `must be off, or window: is missing`. */
function describeOptions(options: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const messages = options.flatMap(([first]) => {
    if (first === undefined) return []
    return [first.path.length === 0 ? first.message : `${first.path.map(String).join('.')}: ${first.message}`]
  })
  return messages.length === 0 ? undefined : [...new Set(messages)].join(', or ')
}

const parts: { readonly [origin: string]: string } = { string: 'characters', array: 'entries', record: 'entries' }

function describeBound(word: 'least' | 'most', bound: number | bigint, origin: string): string {
  const part = parts[origin]
  if (part === undefined) return `must be at ${word} ${bound}`
  return word === 'least' && bound === 1 ? 'must not be empty' : `must have at ${word} ${bound} ${part}`
}
