import { formatNumber } from '../lib/format-number.ts'
import { look } from '../lib/look.ts'
import { enCommon } from './en/common.ts'
import type { Catalogue, Message, MessageKey } from './message.ts'

type Parameters = { readonly [name: string]: string | number }

/** Names of tactics where the language has its own. */
let tacticNames: { readonly [tactic: string]: string } = {}

const catalogues: { [language: string]: Partial<Catalogue> } = { en: enCommon }

/** Loads the catalogue of a language; of English the texts that all pages share are always there. */
export async function loadLanguage(language: 'en' | 'ko'): Promise<void> {
  if (language === 'ko') {
    const { ko, koTactics } = await import('./ko/index.ts')
    catalogues['ko'] = ko
    tacticNames = koTactics
  } else {
    catalogues['en'] = (await import('./en/index.ts')).en
  }
}

/** The name of a tactic in a language that has its own names; English makes them of the ids. */
export function findTacticName(tactic: string): string | undefined {
  return look.get().language === 'ko' ? tacticNames[tactic] : undefined
}

/** Adds texts in English: those of a page, which are loaded with it. */
export function addTexts(texts: Partial<Catalogue>): void {
  catalogues['en'] = { ...catalogues['en'], ...texts }
}

/** The text of a key in the language of the page; `count` chooses the plural form. */
export function t(key: MessageKey, parameters: Parameters = {}): string {
  const { language } = look.get()
  const message = catalogues[language]?.[key] ?? catalogues['en']?.[key]
  if (message === undefined) throw new Error(`the text '${key}' is not loaded`)
  const { count } = parameters
  const text = typeof message === 'string' ? message : choosePlural(message, language, Number(count))
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = parameters[name]
    return value === undefined ? whole : typeof value === 'number' ? printNumber(value) : value
  })
}

function choosePlural(message: Exclude<Message, string>, language: string, count: number): string {
  return new Intl.PluralRules(language).select(count) === 'one' ? (message.one ?? message.other) : message.other
}

/** A number with the separators of the language. */
export function printNumber(value: number, maximumFractionDigits = 1): string {
  return formatNumber(value, { maximumFractionDigits })
}
