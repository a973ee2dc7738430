import type { en } from './en/index.ts'

/** A text, or its forms by plural category; `{name}` stands for a parameter. */
export type Message = string | { readonly one?: string; readonly other: string }
export type MessageKey = keyof typeof en

/** All texts of a language. */
export type Catalogue = { readonly [Key in MessageKey]: Message }
