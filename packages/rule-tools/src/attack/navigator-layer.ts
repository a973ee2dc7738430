import { attackVersion } from './attack-matrix.ts'
import { coverageStates } from './compute-coverage.ts'
import type { Coverage, CoverageState, TechniqueCoverage } from './compute-coverage.ts'

/** What a layer shows: effective rules, matches, or techniques without an effective rule. */
export const navigatorLayers = {
  rules: 'Enabled and healthy rules whose log source has events, for each technique.',
  hits: 'Matches of these rules, for each technique.',
  gaps: 'Techniques without such a rule, and why.',
} as const
export type NavigatorLayerKind = keyof typeof navigatorLayers

/** A layer of the ATT&CK Navigator, in format 4.5. */
export type NavigatorLayer = {
  readonly name: string
  readonly versions: { readonly attack: string; readonly navigator: string; readonly layer: string }
  readonly domain: 'enterprise-attack'
  readonly description: string
  readonly sorting: number
  readonly hideDisabled: boolean
  readonly techniques: readonly LayerTechnique[]
  readonly gradient?: { readonly colors: readonly string[]; readonly minValue: number; readonly maxValue: number }
  readonly legendItems: readonly { readonly label: string; readonly color: string }[]
  readonly showTacticRowBackground: boolean
  readonly selectTechniquesAcrossTactics: boolean
  readonly selectSubtechniquesWithParent: boolean
}

type LayerTechnique = {
  readonly techniqueID: string
  readonly score?: number
  readonly color?: string
  readonly comment: string
  readonly enabled: true
  readonly showSubtechniques: boolean
  readonly metadata: readonly { readonly name: string; readonly value: string }[]
}

const gapColors = { no_rule: '#d9d9d9', disabled: '#fdd49e', no_data: '#fdbb84', unhealthy: '#ef6548' } as const
type GapState = keyof typeof gapColors
const gapStates = Object.keys(gapColors) as GapState[]

const gradients = { rules: ['#e5f5e0', '#238b45'], hits: ['#fee5d9', '#cb181d'] } as const

/** Makes a layer for the ATT&CK Navigator of a coverage; the caller prints it as JSON. */
export function toNavigatorLayer(coverage: Coverage, kind: NavigatorLayerKind, name = `Tripline: ${kind}`): NavigatorLayer {
  const chosen = coverage.techniques.filter((row) => kind === 'gaps' ? isGap(row.state) : readScore(row, kind) > 0)
  const isParentOfGap = new Set(chosen.map(({ technique }) => technique.slice(0, 5)))
  return {
    name,
    versions: { attack: attackVersion.replace(/\..*$/, ''), navigator: '5.1.0', layer: '4.5' },
    domain: 'enterprise-attack',
    description: navigatorLayers[kind],
    sorting: kind === 'gaps' ? 0 : 3,
    hideDisabled: false,
    techniques: chosen.map((row) => toLayerTechnique(row, kind, isParentOfGap.has(row.technique))),
    ...(kind !== 'gaps' && {
      gradient: { colors: gradients[kind], minValue: 0, maxValue: chosen.reduce((max, row) => Math.max(max, readScore(row, kind)), 1) },
    }),
    legendItems: kind === 'gaps' ? gapStates.map((state) => ({ label: coverageStates[state], color: gapColors[state] })) : [],
    showTacticRowBackground: false,
    selectTechniquesAcrossTactics: true,
    selectSubtechniquesWithParent: false,
  }
}

function toLayerTechnique(row: TechniqueCoverage, kind: NavigatorLayerKind, showSubtechniques: boolean): LayerTechnique {
  const { technique, state, rules, enabled, withData, effective, matches } = row
  const counts = { rules, enabled, 'with data': withData, effective, matches }
  return {
    techniqueID: technique,
    ...(isGap(state) && kind === 'gaps' ? { color: gapColors[state] } : { score: readScore(row, kind) }),
    comment: coverageStates[state],
    enabled: true,
    showSubtechniques: showSubtechniques && technique.length === 5,
    metadata: Object.entries(counts).map(([label, count]) => ({ name: label, value: String(count) })),
  }
}

function readScore({ effective, matches }: TechniqueCoverage, kind: NavigatorLayerKind): number {
  return kind === 'hits' ? matches : effective
}

function isGap(state: CoverageState): state is GapState {
  return Object.hasOwn(gapColors, state)
}
