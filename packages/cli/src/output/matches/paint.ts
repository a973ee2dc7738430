import type { Level } from '@tripline/engine'
import type { Context } from '../../framework/context.ts'

/** Colours texts for a terminal; leaves them as they are elsewhere. */
export type Paint = (text: string, color: PaintColor) => string

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const
type PaintColor = keyof typeof codes

/** How levels are coloured. */
const levelColors: { readonly [L in Level]: PaintColor } = {
  critical: 'magenta', high: 'red', medium: 'yellow', low: 'cyan', informational: 'dim',
}

/** Paints where stdout is a terminal and the variable `NO_COLOR` is unset or empty (https://no-color.org). */
export function createPaint({ stdoutIsTty, environment }: Pick<Context, 'stdoutIsTty' | 'environment'>): Paint {
  const isColored = stdoutIsTty && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb'
  return (text, color) => isColored ? `\u001b[${codes[color]}m${text}\u001b[0m` : text
}

export function paintLevel(paint: Paint, level: Level | undefined, text: string): string {
  return level === undefined ? text : paint(text, levelColors[level])
}
