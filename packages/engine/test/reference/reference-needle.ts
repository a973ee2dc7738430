import type { Needle } from '../../src/candidates/requirement.ts'
import { foldCase } from '../../src/event/fold-case.ts'
import { toTexts } from '../../src/event/value.ts'
import type { FieldValue } from '../../src/event/value.ts'
import { parseNumber } from '../../src/event/parse-number.ts'

/** Whether a needle is in what its field holds: the slow way, text by text and number by number. */
export function isNeedleIn(needle: Needle, value: FieldValue): boolean {
  if (needle.kind === 'number') return [value ?? null].flat().some((one) => parseNumber(one) === needle.value)
  return [toTexts(value) ?? []].flat().some((text) => {
    if (needle.kind === 'length') return text.length >= needle.least
    return needle.kind === 'run' ? isRunIn(needle, text) : isTextIn(needle, foldCase(text))
  })
}

/** Whether a text has so many characters in a row that are beyond ASCII or, case folded, those of a run. */
export function isRunIn({ characters, least }: { readonly characters: string; readonly least: number }, text: string): boolean {
  const isMember = (unit: string): boolean => unit > '\x7f' || characters.includes(foldCase(unit))
  return Array.from({ length: Math.max(0, text.length - least + 1) }, (_, start) => text.slice(start, start + least).split(''))
    .some((units) => units.every(isMember))
}

/** Whether a text holds what is looked for, as it stands: what the language itself says. */
export function isTextIn({ anchor, text: wanted }: Pick<Needle & { readonly kind: 'text' }, 'anchor' | 'text'>, text: string): boolean {
  switch (anchor) {
    case 'whole':
      return text === wanted
    case 'start':
      return text.startsWith(wanted)
    case 'end':
      return text.endsWith(wanted)
    case 'anywhere':
      return text.includes(wanted)
  }
}
