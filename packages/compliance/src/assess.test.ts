import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assessFramework } from './assess.ts'
import type { Attestation, ControlResult, FrameworkAssessment } from './assess.ts'
import { catalogues, findCatalogue } from './catalogues/catalogues.ts'
import type { Catalogue } from './catalogues/read-catalogue.ts'
import { countControls, findChanges } from './count-controls.ts'
import { controlMaps } from './maps/control-maps.ts'
import { signals } from './signals/signals.ts'
import { sourceClasses } from './signals/snapshot.ts'
import type { PlatformSnapshot, ReadingName, Readings } from './signals/snapshot.ts'

const at = Date.UTC(2026, 0, 31)
const dayMs = 86_400_000

const part = (whole: string, some: string) =>
  fc.nat({ max: 20 }).chain((all) => fc.nat({ max: all }).map((few) => ({ [whole]: all, [some]: few })))

/** Any data of each reading. */
const someData = {
  logCoverage: part('assets', 'reporting'),
  sourceClasses: fc.subarray([...sourceClasses]).map((seen) => ({ eventsMet: 9, seen })),
  retention: fc.record({
    keptDays: fc.nat({ max: 500 }), oldestEventAt: fc.option(fc.nat({ max: at }), { nil: undefined }),
    firstEventAt: fc.option(fc.nat({ max: at }), { nil: undefined }),
  }),
  auditTrail: fc.record({ isIntact: fc.boolean(), entries: fc.nat({ max: 3 }), verifiedAt: fc.constant(at) }),
  clocks: part('compared', 'withinSecond'),
  detection: part('techniquesWanted', 'techniquesCovered').map((detection) => ({ eventsMet: 9, ...detection })),
  pipelineGaps: fc.record({ observedMinutes: fc.nat({ max: 50_000 }), gapMinutes: fc.nat({ max: 3_000 }) }),
  acknowledgement: part('due', 'inTime'),
  incidents: part('closed', 'complete'),
  scans: part('assets', 'fresh').map((scan) => ({ ...scan, overdueCriticals: 0 })),
  malware: fc.record({ eventsMet: fc.constant(9), hasTelemetry: fc.boolean(), rules: fc.nat({ max: 3 }) }),
  access: part('users', 'strong').map((access) => ({ ...access, dormant: 0, expiredKeys: 0 })),
  notifications: fc.record({ channels: fc.nat({ max: 2 }), lastTestedAt: fc.option(fc.nat({ max: at }), { nil: undefined }) }),
  subjectRequests: part('due', 'inTime'),
  inventory: part('assets', 'owned'),
}
const readingNames = Object.keys(someData)

const someSnapshot: fc.Arbitrary<PlatformSnapshot> = fc.record(someData, { requiredKeys: [] }).map((data) => ({
  at,
  readings: Object.fromEntries(Object.entries(data).map(([name, value]) =>
    [name, { data: value, evidence: [{ kind: name, ref: '/v1/x', at, sha256: '00' }] }])),
}))

const someAttestations = (catalogue: Catalogue): fc.Arbitrary<Attestation[]> => fc.uniqueArray(fc.record({
  control: fc.constantFrom(...catalogue.controls.map(({ id }) => id)),
  status: fc.constantFrom('compliant', 'partial', 'non_compliant'),
  by: fc.constant('auditor@example.com'),
  at: fc.constant(at - dayMs),
  expiresAt: fc.constantFrom(at, at + dayMs),
  note: fc.constant(''),
  proof: fc.constant({ url: 'https://example.com/proof' }),
}), { selector: ({ control }) => control, maxLength: 30 })

type Platform = { readonly catalogue: Catalogue; readonly snapshot: PlatformSnapshot; readonly attestations: readonly Attestation[] }

const somePlatform: fc.Arbitrary<Platform> = fc.constantFrom(...catalogues).chain((catalogue) =>
  fc.record({ catalogue: fc.constant(catalogue), snapshot: someSnapshot, attestations: someAttestations(catalogue) }))

function assess({ catalogue, snapshot, attestations }: Platform, previous?: FrameworkAssessment): FrameworkAssessment {
  return assessFramework({ catalogue, maps: controlMaps, signals, snapshot, attestations, previous })
}

describe('any state of a platform', () => {
  test('gives counts that sum to the total, and a score between 0 and 100', () => {
    fc.assert(fc.property(somePlatform, (platform) => {
      const coverage = countControls(assess(platform).controls)
      const { compliant, partial, nonCompliant, notAssessed, totalControls, score, assessedShare } = coverage
      expect(compliant + partial + nonCompliant + notAssessed).toBe(totalControls)
      expect(totalControls).toBe(platform.catalogue.total)
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(100)
      expect(assessedShare > 0).toBe(notAssessed < totalControls)
    }))
  })

  test('claims nothing without data: what is assessed has evidence of every signal, or an attestation that holds', () => {
    fc.assert(fc.property(somePlatform, (platform) => {
      for (const { control, status, method, signals: results } of assess(platform).controls) {
        if (status === 'not_assessed') continue
        const attestation = platform.attestations.find((one) => one.control === control)
        if (method === 'manual') expect(attestation?.expiresAt).toBeGreaterThan(at)
        else {
          expect(results.length).toBeGreaterThan(0)
          for (const result of results) expect(result).toMatchObject({ value: expect.any(Number), evidence: [expect.anything()] })
        }
      }
    }))
  })

  test('never scores better once evidence is taken away', () => {
    const taken = fc.subarray(readingNames)
    fc.assert(fc.property(somePlatform, taken, taken, fc.array(fc.boolean(), { maxLength: 30 }), (platform, first, second, kept) => {
      let assessment = assess(platform)
      let [remaining, { score }] = [platform, countControls(assessment.controls)]
      for (const [step, names] of [first, second].entries()) {
        const taking = new Set<string>(names)
        const readings = Object.fromEntries(Object.entries(remaining.snapshot.readings).filter(([name]) => !taking.has(name)))
        const attestations = step === 0 ? remaining.attestations : remaining.attestations.filter((_, index) => kept[index] ?? true)
        remaining = { ...remaining, snapshot: { at: at + step, readings }, attestations }
        assessment = assess(remaining, assessment)
        const next = countControls(assessment.controls).score
        expect(next).toBeLessThanOrEqual(score)
        score = next
      }
    }), { numRuns: 300 })
  })
})

const iso = findCatalogue('iso27001') ?? fail('there is no ISO 27001')

type Data = Partial<{ [Name in ReadingName]: Readings[Name] }>
type Circumstances = Partial<Platform> & { readonly previous?: FrameworkAssessment }

function fail(message: string): never {
  throw new Error(message)
}

function assessIso(readings: Data, more: Circumstances = {}): FrameworkAssessment {
  const snapshot: PlatformSnapshot = {
    at, readings: Object.fromEntries(Object.entries(readings).map(([name, data]) => [name, { data, evidence: [] }])),
  }
  return assess({ catalogue: iso, snapshot, attestations: [], ...more }, more.previous)
}

function find(assessment: FrameworkAssessment, control: string): ControlResult | undefined {
  return assessment.controls.find((result) => result.control === control)
}

const attestation: Attestation = {
  control: 'A.5.1', status: 'compliant', by: 'ciso@example.com', at: at - dayMs, expiresAt: at + dayMs, note: 'reviewed',
  proof: { url: 'https://example.com/policy' },
}

describe('a control', () => {
  test('is not assessed while one of its signals has no data', () => {
    const withoutAssets = assessIso({ logCoverage: { assets: 2, reporting: 2 } })
    expect(find(withoutAssets, 'A.5.9')).toMatchObject({ status: 'not_assessed', method: 'none' })
    const whole = assessIso({ logCoverage: { assets: 2, reporting: 2 }, inventory: { assets: 2, owned: 2 } })
    expect(find(whole, 'A.5.9')).toMatchObject({ status: 'compliant', method: 'automatic' })
  })

  test.for([
    [2, 2, 'compliant'], [2, 1, 'partial'], [2, 0, 'non_compliant'],
  ] as const)('with %i assets of which %i report is %s', ([assets, reporting, status]) => {
    expect(find(assessIso({ logCoverage: { assets, reporting }, inventory: { assets, owned: assets } }), 'A.5.9')?.status).toBe(status)
  })

  test('without signals is answered by a person, until the attestation expires', () => {
    expect(find(assessIso({}, { attestations: [attestation] }), 'A.5.1')).toMatchObject({ status: 'compliant', method: 'manual' })
    const expired = { ...attestation, expiresAt: at }
    expect(find(assessIso({}, { attestations: [expired] }), 'A.5.1')).toMatchObject({ status: 'not_assessed', method: 'none' })
  })

  test('that was assessed loses its evidence, and is lost until it returns', () => {
    const clocks = { compared: 10, withinSecond: 10 }
    const before = assessIso({ clocks })
    const after = assessIso({}, { previous: before })
    expect(find(after, 'A.8.17')).toMatchObject({ status: 'not_assessed', lostSince: at })
    expect(countControls(after.controls)).toMatchObject({ lost: 1, score: 0, assessedShare: 0 })
    expect(find(assessIso({ clocks }, { previous: after }), 'A.8.17')).toMatchObject({ status: 'compliant', lostSince: undefined })
    // Where there was merely nothing to measure, nothing is lost.
    expect(find(assessIso({ clocks: { compared: 0, withinSecond: 0 } }, { previous: before }), 'A.8.17')?.lostSince).toBeUndefined()
  })

  test('answers by its signals before a person, and by a person only for what came after a loss', () => {
    const attested = { ...attestation, control: 'A.8.17' }
    const before = assessIso({ clocks: { compared: 10, withinSecond: 0 } }, { attestations: [attested] })
    expect(find(before, 'A.8.17')).toMatchObject({ status: 'non_compliant', method: 'automatic' })
    const after = assessIso({}, { attestations: [attested], previous: before })
    expect(find(after, 'A.8.17')).toMatchObject({ status: 'not_assessed', lostSince: at })
    const renewed = { ...attested, at: at + 1 }
    const again = assess({ catalogue: iso, snapshot: { at: at + 2, readings: {} }, attestations: [renewed] }, after)
    expect(find(again, 'A.8.17')).toMatchObject({ status: 'compliant', method: 'manual' })
  })
})

test('changes name the controls whose status differs', () => {
  const [before, after] = [assessIso({ clocks: { compared: 10, withinSecond: 0 } }), assessIso({ clocks: { compared: 10, withinSecond: 10 } })]
  expect(findChanges('iso27001', before.controls, after.controls)).toEqual([
    { framework: 'iso27001', control: 'A.8.17', from: 'non_compliant', to: 'compliant' },
  ])
  expect(findChanges('iso27001', undefined, before.controls)).toEqual([
    { framework: 'iso27001', control: 'A.8.17', from: 'not_assessed', to: 'non_compliant' },
  ])
})
