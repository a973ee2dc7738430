import { publicAlert, publicAlertChange, publicAlertDetail, publicAlertStats } from '@tripline/contract/public/alert'
import { publicAsset } from '@tripline/contract/public/asset'
import { publicCollector, publicCollectorDetail } from '@tripline/contract/public/collector'
import {
  publicControl, publicControlDetail, publicCoverage, publicEvidenceJob, publicEvidenceRequest, publicFramework,
} from '@tripline/contract/public/compliance'
import {
  incidentAlerts, incidentComment, incidentSources, newIncidentComment, newPublicIncident, publicIncident, publicIncidentChange,
  publicIncidentDetail,
} from '@tripline/contract/public/incident'
import { profiles, toProfileName } from '@tripline/contract/public/profile'
import { publicRule } from '@tripline/contract/public/rule'
import { publicSearch, publicSearchResult } from '@tripline/contract/public/search'
import type { Shape } from '@tripline/contract/public/shape'
import { word } from '@tripline/contract/public/shape'
import * as vocabularies from '@tripline/contract/public/vocabulary'
import type { Vocabulary } from '@tripline/contract/public/vocabulary'
import { printIncidentStatus } from '@tripline/model/incidents/incident-status'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toJsonSchema } from '../src/http/openapi/schemas.ts'
import { object } from './contract/documented.ts'
import { createArbitrary } from './contract/arbitrary-json.ts'

const shapes: readonly (readonly [name: string, shape: Shape<unknown>])[] = [
  ['alert', publicAlert], ['alert detail', publicAlertDetail], ['alert change', publicAlertChange], ['alert statistics', publicAlertStats],
  ['incident', publicIncident], ['incident detail', publicIncidentDetail], ['incident comment', incidentComment],
  ['new incident', newPublicIncident], ['new comment', newIncidentComment], ['alerts of an incident', incidentAlerts],
  ['merged incidents', incidentSources], ['collector', publicCollector], ['collector detail', publicCollectorDetail],
  ['asset', publicAsset], ['framework', publicFramework], ['coverage', publicCoverage], ['control', publicControl],
  ['control with signals', publicControlDetail], ['evidence request', publicEvidenceRequest], ['evidence job', publicEvidenceJob], ['rule', publicRule], ['search', publicSearch], ['search result', publicSearchResult],
]

/** Values in the form of a profile, made of its schema alone. */
function generateForm(shape: Shape<unknown>, profile: 'a' | 'b'): fc.Arbitrary<unknown> {
  const schema = toJsonSchema(shape.toSchema(profile), 'input')
  return createArbitrary(schema, { schemas: object(schema['$defs']), known: {}, depth: 0 })
}

describe.for(shapes)('%s', ([name, shape]) => {
  // Incidents have more statuses than either profile shows: from one to the other, the first that looks the same remains.
  const isCoarse = name.startsWith('incident')
  test.for(profiles.flatMap((from) => profiles.map((to) => [from, to] as const)))('from %s to %s and back is the same', ([from, to]) => {
    const [own, other] = [shape.toSchema(from), shape.toSchema(to)]
    fc.assert(fc.property(generateForm(shape, from), (wire) => {
      fc.pre(own.safeParse(wire).success)
      const value = shape.parse(from, wire)
      const form = shape.render(to, value)
      expect(other.safeParse(form).error).toBeUndefined()
      const again = shape.parse(to, form)
      if (isCoarse && from !== to) expect(shape.render(to, again)).toEqual(form)
      else expect(again).toEqual(value)
    }), { numRuns: 60, seed: 7 })
  })

  test('has the fields of one profile in the other', () => {
    const names = profiles.map((profile) => Object.keys(Object(toJsonSchema(shape.toSchema(profile), 'input')['properties'])).length)
    expect(names[0]).toBeGreaterThan(0)
    expect(names[0]).toBe(names[1])
  })
})

const {
  alertStatuses, assetTypeWords, collectorStatuses, controlStatuses, criticalityWords, evidenceJobStatuses, expandWord, incidentStatusWords, listWords, riskLevelWords,
  ruleStatuses, severities, verdicts,
} = vocabularies
const tables: readonly (readonly [name: string, Vocabulary])[] = Object.entries({
  alertStatuses, assetTypeWords, collectorStatuses, controlStatuses, criticalityWords, evidenceJobStatuses, incidentStatusWords, riskLevelWords, ruleStatuses, severities, verdicts,
})

test.for(profiles.flatMap((profile) => listWords(incidentStatusWords, profile).map((status) => [profile, status] as const)))(
  'a change to the status %s %s means all that look so', ([profile, status]) => {
    const change = publicIncidentChange.parse(profile, { status })
    expect(change.status).toEqual(expandWord(incidentStatusWords, profile, status))
    expect(publicIncidentChange.render(profile, change)).toEqual({ status })
  })

test('the words of incidents are those of the model', () => {
  for (const [status, words] of Object.entries(incidentStatusWords)) {
    for (const profile of profiles) expect(words[profile]).toBe(printIncidentStatus(profile, status as keyof typeof incidentStatusWords))
  }
})

test('every vocabulary is looked at', () => {
  const declared = Object.entries(vocabularies).filter(([, value]) => typeof value === 'object').map(([name]) => name)
  expect(tables.map(([name]) => name)).toEqual(declared.toSorted())
})

describe.for(tables)('the words of %s', ([name, vocabulary]) => {
  const internal = Object.keys(vocabulary)
  test.for(profiles)('in %s mean what they are written for', (profile) => {
    const shape = word(vocabulary)
    for (const one of listWords(vocabulary, profile)) expect(shape.render(profile, shape.parse(profile, one))).toBe(one)
    for (const one of internal) {
      const again = shape.parse(profile, shape.render(profile, one))
      // Incidents have more statuses than either profile shows: what is read back is the first that looks the same.
      expect(name === 'incidentStatusWords' ? shape.render(profile, again) : again).toBe(name === 'incidentStatusWords' ? shape.render(profile, one) : one)
      expect(expandWord(vocabulary, profile, shape.render(profile, one) as string)).toContain(one)
    }
  })
})

test.for<[name: string, camel: string]>([
  ['created_at', 'createdAt'], ['mitre_techniques', 'mitreTechniques'], ['id', 'id'], ['source_ip', 'sourceIp'],
])('%s is %s in A and itself in B', ([name, camel]) => {
  expect([toProfileName('a', name), toProfileName('b', name)]).toEqual([camel, name])
})
