import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** Red, green, blue from 0 to 255, and alpha from 0 to 1. */
type Colour = readonly [red: number, green: number, blue: number, alpha: number]

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** The colours of a theme by the name of their token. */
function readTheme(theme: 'dark' | 'light'): ReadonlyMap<string, Colour> {
  const [, block = ''] = new RegExp(`data-theme='${theme}'\\] \\{([^}]+)\\}`).exec(css) ?? []
  return new Map(
    [...block.matchAll(/--([\w-]+): #([\da-f]+);/g)].map(([, name = '', hex = '']) => {
      const [red = 0, green = 0, blue = 0, alpha = 255] = [...hex.matchAll(/../g)].map(([pair]) => Number.parseInt(pair, 16))
      return [name, [red, green, blue, alpha / 255]]
    }),
  )
}

/** A colour as it looks over another. */
function blend([red, green, blue, alpha]: Colour, under: Colour): Colour {
  const mix = (top: number, bottom: number): number => top * alpha + bottom * (1 - alpha)
  return [mix(red, under[0]), mix(green, under[1]), mix(blue, under[2]), 1]
}

/** The contrast ratio of WCAG 2.2. */
function contrast(one: Colour, other: Colour): number {
  const luminance = ([red, green, blue]: Colour): number => {
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

describe.each(['dark', 'light'] as const)('the %s theme', (theme) => {
  const colours = readTheme(theme)
  const get = (name: string): Colour => {
    const colour = colours.get(name)
    if (colour === undefined) throw new Error(`tokens.css has no colour --${name} in the ${theme} theme`)
    return colour
  }
  const backgrounds = ['bg', 'surface', 'raised', 'overlay'] as const

  test.for(['text', 'text-2', 'text-3', 'accent', 'critical', 'high', 'medium', 'low', 'info', 'ok'])(
    '%s is readable on every background, and on a chosen row',
    (name) => {
      const under = [...backgrounds.map(get), blend(get('selected'), get('surface'))]
      for (const background of under) expect(contrast(get(name), background)).toBeGreaterThanOrEqual(5)
    },
  )

  test.for(['critical', 'high', 'medium', 'low', 'info', 'ok'])('%s is readable on its own tint', (name) => {
    expect(contrast(get(name), blend(get(`${name}-tint`), get('surface')))).toBeGreaterThanOrEqual(5)
  })

  test.for(['line-strong', 'focus', 'critical-bar', 'high-bar', 'medium-bar', 'low-bar', 'info-bar', ...[1, 2, 3, 4, 5].map((index) => `value-${index}`)])(
    '%s can be told from the page',
    (name) => {
      expect(contrast(get(name), get('surface'))).toBeGreaterThanOrEqual(3)
    },
  )

  test('the primary button is readable', () => {
    expect(contrast(get('on-accent'), get('accent-solid'))).toBeGreaterThanOrEqual(4.5)
  })
})

test('both themes state the same tokens', () => {
  expect([...readTheme('light').keys()].sort()).toEqual([...readTheme('dark').keys()].sort())
})
