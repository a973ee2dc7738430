import type { Alert } from '@tripline/model/alert'
import type { AuditEntry } from '@tripline/model/audit'
import { findingFields } from '@tripline/model/assets/asset-fields'
import { findingSeverities } from '@tripline/model/assets/finding'
import { assetTypes, criticalities, getRiskLevel } from '@tripline/model/enrichment/asset'
import { assetFields, directoryUserFields, indicatorFields, subdomainFields } from '@tripline/model/enrichment/enrichment-fields'
import { requestLaws, requestStatuses, requestTypes } from '@tripline/model/compliance/data-subject-request'
import type { DataSubjectRequest } from '@tripline/model/compliance/data-subject-request'
import type { Subdomain } from '@tripline/model/enrichment/subdomain'
import { requestFields } from '@tripline/model/lists/request-fields'
import { indicatorTypes } from '@tripline/model/enrichment/indicator'
import type { Indicator } from '@tripline/model/enrichment/indicator'
import { foldCase } from '@tripline/model/lists/evaluate-filter'
import { incidentStatuses } from '@tripline/model/incidents/incident-status'
import { incidentOrigins, timelineActions } from '@tripline/model/incidents/incident'
import type { Incident, TimelineEntry } from '@tripline/model/incidents/incident'
import {
  alertFields, auditFields, incidentFields, matchFields, playbookRunFields, timelineFields,
} from '@tripline/model/lists/list-fields'
import { runStatuses, startRun } from '@tripline/model/playbooks/playbook'
import type { PlaybookRun } from '@tripline/model/playbooks/playbook'
import type { RuleMatch } from '@tripline/model/match'
import type { AssetWithAlerts } from '../../src/ports/assets/asset-store.ts'
import type { NamedFinding } from '../../src/ports/assets/finding-store.ts'
import type { DirectoryUserWithAlerts } from '../../src/ports/enrichment/directory-user-store.ts'
import type { Stores } from '../../src/ports/state-store.ts'
import {
  auditFactsWith, dataSubjectRequestWith, findingWith, newAlertWith, newIncidentWith, playbookWith, statedAsset, statedIndicator,
  statedPerson, statedSubdomain,
} from '../state-samples.ts'
import { addresses, event, pick, readerOf, some, tactics, tags, techniques, texts } from './list-sample.ts'
import type { ListSample } from './list-sample.ts'

const levels = ['informational', 'low', 'medium', 'high', 'critical'] as const

/** Alerts of several rules; some are reviewed, some have several matches. */
const addAlert = async ({ alerts }: Stores, tenant: string, { number, seed }: { readonly number: number; readonly seed: number }) => {
  const id = `m${number}`
  const facts = {
    id, ruleId: pick(['rule1', 'rule2'], seed), ruleTitle: pick(texts, seed + 1), level: pick(levels, seed), event: event(seed),
    attack: { tactics: some(tactics, seed), techniques: some(techniques, seed) }, source: pick(texts, seed + 2),
    sourceIp: pick(addresses, seed), assetCriticality: pick(criticalities, seed), matchedAt: 1 + (seed % 9),
    dedupKey: seed % 5 === 0 ? 'grouped' : id,
  }
  const [insertion] = await alerts.insert(tenant, [newAlertWith(facts)])
  if (insertion?.outcome !== 'created' || seed % 3 === 0) return
  const change = { status: pick(['open', 'in_progress', 'resolved'] as const, seed), ...(seed % 2 === 0 && { assignee: pick(texts, seed) }) }
  await alerts.update(tenant, id, change, { expectedVersion: undefined, at: 20 + (seed % 4) })
}
const removeOldAlert = ({ alerts }: Stores, tenant: string) => alerts.removeOld(tenant, { before: 22, limit: 2 })

export const alertSample: ListSample<Alert> = {
  name: 'alerts', of: ({ alerts }) => alerts, add: addAlert, remove: removeOldAlert,
  reader: readerOf(alertFields, {
    id: ({ id }) => id,
    severity: ({ level }) => level, status: ({ status }) => status, rule_id: ({ ruleId }) => ruleId, rule_title: ({ ruleTitle }) => ruleTitle,
    host: ({ event }) => event.host, user: ({ event }) => event.user, process: ({ event }) => event.processName,
    host_folded: ({ event }) => foldCase(event.host), user_folded: ({ event }) => foldCase(event.user),
    source: ({ source }) => source, product: ({ product }) => product, description: ({ description }) => description, source_ip: ({ sourceIp }) => sourceIp, tactic: ({ attack }) => attack.tactics,
    technique: ({ attack }) => attack.techniques, assignee: ({ assignee = '' }) => assignee, verdict: ({ verdict }) => verdict,
    created_at: ({ createdAt }) => createdAt, updated_at: ({ updatedAt }) => updatedAt, event_count: ({ eventCount }) => eventCount,
    incident_id: ({ incidentId = '' }) => incidentId, asset_criticality: ({ assetCriticality }) => assetCriticality,
  }, { getId: ({ id }) => id, getTexts: ({ id, ruleTitle, event }) => [ruleTitle, event.host, event.user, event.commandLine, id] }),
}

export const matchSample: ListSample<RuleMatch> = {
  name: 'matches', of: ({ matches }) => matches, add: addAlert, remove: removeOldAlert,
  reader: readerOf(matchFields, {
    rule_id: ({ ruleId }) => ruleId, timestamp: ({ matchedAt }) => matchedAt, verdict: ({ verdict }) => verdict,
    host: ({ event }) => event.host, user: ({ event }) => event.user, process_name: ({ event }) => event.processName,
  }, { getId: ({ id }) => id, getTexts: ({ event }) => [event.commandLine, event.host, event.user] }),
}

/** An incident, some with an alert of its own; some are worked on. */
export const incidentSample: ListSample<Incident> = {
  name: 'incidents', of: ({ incidents }) => incidents,
  async add(stores, tenant, { number, seed }) {
    const id = `in${number}`
    const known = seed % 3 === 0 ? [] : [newAlertWith({
      id: `m${number}`, dedupKey: `m${number}`, level: pick(levels, seed), event: event(seed), matchedAt: 1 + (seed % 9),
      attack: { tactics: some(tactics, seed), techniques: some(techniques, seed) },
    })]
    await stores.alerts.insert(tenant, known)
    const alerts = (await Promise.all(known.map((alert) => stores.alerts.get(tenant, alert.id)))).filter((alert) => alert !== undefined)
    const facts = { id, title: pick(texts, seed), description: pick(texts, seed + 1), origin: pick(incidentOrigins, seed) }
    const terms = { at: 1 + (seed % 7), by: 'ann', expectedVersion: undefined }
    await stores.incidents.insert(tenant, newIncidentWith(facts), alerts, terms)
    const change = { status: pick(incidentStatuses, seed), ...(seed % 2 === 0 && { assignee: pick(texts.slice(1), seed) }) }
    await stores.incidents.update(tenant, id, change, { ...terms, at: 20 + (seed % 4) })
  },
  remove: ({ incidents }, tenant) => incidents.removeOld(tenant, { before: 22, limit: 2 }),
  reader: readerOf(incidentFields, {
    severity: ({ level }) => level, status: ({ status }) => status, title: ({ title }) => title, assignee: ({ assignee = '' }) => assignee,
    origin: ({ origin }) => origin, tactic: ({ attack }) => attack.tactics, technique: ({ attack }) => attack.techniques,
    alert_count: ({ alertCount }) => alertCount, first_alert_at: ({ firstAlertAt = 0 }) => firstAlertAt,
    last_alert_at: ({ lastAlertAt = 0 }) => lastAlertAt, first_event_at: ({ firstEventAt = 0 }) => firstEventAt,
    last_event_at: ({ lastEventAt = 0 }) => lastEventAt, created_at: ({ createdAt }) => createdAt, updated_at: ({ updatedAt }) => updatedAt,
  }, {
    getId: ({ id }) => id,
    getTexts: ({ title, description, assignee = '', entities, id }) => [title, description, assignee, JSON.stringify(entities), id],
  }),
}

/** The timeline of one incident. */
export const timelineSample: ListSample<TimelineEntry> = {
  name: 'timeline entries', of: ({ incidentTimeline }) => incidentTimeline,
  async add({ incidents }, tenant, { seed }) {
    const terms = { at: 1 + (seed % 9), by: pick(texts, seed), expectedVersion: undefined }
    if (await incidents.get(tenant, 'in1') === undefined) await incidents.insert(tenant, newIncidentWith({}), [], terms)
    else await incidents.note(tenant, 'in1', { action: pick(timelineActions, seed), detail: { of: pick(texts, seed + 1) } }, terms)
  },
  remove: ({ incidents }, tenant) => incidents.removeOld(tenant, { before: 10, limit: 1 }),
  reader: readerOf(timelineFields, {
    incident_id: ({ incidentId }) => incidentId, number: ({ number }) => number, at: ({ at }) => at, actor: ({ actor }) => actor,
    action: ({ action }) => action,
  }, { getId: ({ number }) => number, getTexts: ({ action, actor, detail }) => [action, actor, JSON.stringify(detail)] }),
}

/** Runs of one playbook; some have ended. */
export const playbookRunSample: ListSample<PlaybookRun> = {
  name: 'playbook runs', of: ({ playbookRuns }) => playbookRuns,
  async add({ playbooks }, tenant, { number, seed }) {
    const playbook = playbookWith({ name: pick(texts, seed) })
    const started = { id: `run${number}`, subjectId: pick(texts, seed + 1), requestedBy: pick(texts.slice(1), seed) }
    const run = startRun(playbook, started, 1 + (seed % 7))
    await playbooks.insertRun(tenant, run)
    await playbooks.saveRun(tenant, { ...run, status: pick(runStatuses, seed), finishedAt: seed % 2 === 0 ? 9 : undefined })
  },
  remove: ({ playbooks }, tenant) => playbooks.removeOldRuns(tenant, { before: 4, limit: 2 }),
  reader: readerOf(playbookRunFields, {
    playbook_id: ({ playbookId }) => playbookId, status: ({ status }) => status, subject_id: ({ subjectId }) => subjectId,
    requested_by: ({ requestedBy }) => requestedBy, created_at: ({ createdAt }) => createdAt,
  }, { getId: ({ id }) => id, getTexts: ({ playbookName, subjectId, requestedBy }) => [playbookName, subjectId, requestedBy] }),
}

export const auditSample: ListSample<AuditEntry> = {
  name: 'audit', of: ({ audit }) => audit,
  add: ({ audit }, tenant, { seed }) => audit.append(tenant, auditFactsWith({
    at: 1 + (seed % 9), actor: { type: 'user', id: pick(texts, seed), email: undefined }, action: pick(['alert.update', 'LOGIN'], seed),
    target: { type: pick(['alert', 'user'], seed + 1), id: pick(texts, seed + 2) }, outcome: pick(['success', 'refused', 'failed'] as const, seed),
  })),
  remove: ({ audit }, tenant) => audit.removeOld(tenant, 3),
  reader: readerOf(auditFields, {
    at: ({ at }) => at, actor: ({ actor }) => actor.id, action: ({ action }) => action, target_type: ({ target }) => target.type,
    target_id: ({ target }) => target.id, outcome: ({ outcome }) => outcome,
  }, { getId: ({ seq }) => seq, getTexts: ({ action, actor, target }) => [action, actor.id, target.id] }),
}

export const assetSample: ListSample<AssetWithAlerts> = {
  name: 'assets', of: ({ assets }) => assets,
  add: async (stores, tenant, { number, seed }) => {
    const exploitable = seed % 3
    const facts = {
      hostname: pick(texts, seed), ipAddresses: some(addresses.slice(1), seed).concat(`192.0.2.${number % 250}`),
      type: pick(assetTypes, seed), os: pick(texts, seed + 1), osFamily: pick(['linux', 'WEB-1'], seed), owner: pick(texts, seed + 2),
      criticality: pick(criticalities, seed), tags: some(tags, seed), riskScore: (seed % 5) * 2_500,
      vulnerabilities: { critical: 0, high: 0, medium: 0, low: 0, exploitable },
      lastSeenAt: seed % 4 === 0 ? undefined : seed % 4, lastScanAt: seed % 3 === 0 ? undefined : seed % 3,
    }
    await stores.assets.upsert(tenant, [statedAsset(facts, `as${number}`)], 1)
    const findings = [findingWith({ vulnerability: { severity: pick(findingSeverities, seed) }, firstFoundAt: 1 + (seed % 5) })]
    if (seed % 2 === 1) {
      await stores.findings.record(tenant, [{ assetId: `as${number}`, isComplete: false, findings }], { source: 'c1', at: 9, runAt: 1 })
    }
    if (seed % 2 === 0) await stores.alerts.insert(tenant, [newAlertWith({ id: `m${number}`, dedupKey: `m${number}`, event: event(seed) })])
  },
  remove: ({ assets }, tenant, { id }) => assets.remove(tenant, id),
  reader: readerOf(assetFields, {
    hostname: ({ hostname }) => hostname, risk_score: ({ riskScore }) => riskScore, last_seen: ({ lastSeenAt = 0 }) => lastSeenAt,
    criticality: ({ criticality }) => criticality, open_alerts: ({ openAlertCount }) => openAlertCount, type: ({ type }) => type,
    os: ({ os }) => os, os_folded: ({ os }) => foldCase(os), os_family_folded: ({ osFamily }) => foldCase(osFamily), tag: ({ tags }) => tags,
    risk_level: ({ riskScore }) => getRiskLevel(riskScore), ip: ({ ipAddresses }) => ipAddresses,
    last_scan_at: ({ lastScanAt = 0 }) => lastScanAt, exploitable: ({ vulnerabilities }) => Number(vulnerabilities.exploitable > 0),
    last_log_at: ({ lastLogAt }) => lastLogAt ?? 0, findings_due_at: ({ findingsDueAt }) => findingsDueAt ?? 0,
  }, { getId: ({ id }) => id, getTexts: ({ hostname, ipAddresses, owner }) => [hostname, JSON.stringify(ipAddresses), owner] }),
}

export const findingSample: ListSample<NamedFinding> = {
  name: 'findings', of: ({ findings }) => findings,
  add: async ({ assets, findings }, tenant, { number, seed }) => {
    const assetId = `as${seed % 3}`
    await assets.upsert(tenant, [statedAsset({ hostname: `host-${seed % 3}`, ipAddresses: [] }, assetId)], 1)
    const vulnerability = {
      id: `v${number}`, title: pick(texts, seed), severity: pick(findingSeverities, seed), cves: some(tags, seed), exploitCount: seed % 3,
    }
    const found = (isOpen: boolean) => [{ assetId, isComplete: false, findings: [findingWith({ vulnerability, isOpen, firstFoundAt: 1 + (seed % 5), lastFoundAt: seed % 7 })] }]
    await findings.record(tenant, found(true), { source: 'c1', at: 1 + (seed % 9), runAt: 1 })
    if (seed % 4 === 0) await findings.record(tenant, found(false), { source: 'c1', at: 10, runAt: 1 })
  },
  remove: ({ assets }, tenant, { assetId }) => assets.remove(tenant, assetId),
  reader: readerOf(findingFields, {
    asset_id: ({ assetId }) => assetId, vulnerability_id: ({ vulnerability }) => vulnerability.id, title: ({ vulnerability }) => vulnerability.title,
    severity: ({ vulnerability }) => vulnerability.severity, status: ({ status }) => status, cve: ({ vulnerability }) => vulnerability.cves,
    exploit_count: ({ vulnerability }) => vulnerability.exploitCount, first_found: ({ firstFoundAt }) => firstFoundAt,
    last_found: ({ lastFoundAt }) => lastFoundAt, due_at: ({ dueAt = 0 }) => dueAt,
  }, { getId: ({ id }) => id, getTexts: ({ vulnerability: { title, id, cves } }) => [title, id, JSON.stringify(cves)] }),
}

export const directoryUserSample: ListSample<DirectoryUserWithAlerts> = {
  name: 'directory users', of: ({ directoryUsers }) => directoryUsers,
  add: ({ directoryUsers }, tenant, { number, seed }) => directoryUsers.upsert(tenant, [statedPerson({
    name: `${pick(texts, seed)} ${number}`, email: pick(texts, seed + 1), department: pick(texts, seed + 2), aliases: [],
    isPrivileged: seed % 2 === 0, lastSeenAt: seed % 4 === 0 ? undefined : seed % 4,
  }, `p${number}`)], 1),
  remove: ({ directoryUsers }, tenant, { id }) => directoryUsers.remove(tenant, id),
  reader: readerOf(directoryUserFields, {
    name: ({ name }) => name, email: ({ email }) => email, department: ({ department }) => department,
    is_privileged: ({ isPrivileged }) => Number(isPrivileged), last_seen: ({ lastSeenAt = 0 }) => lastSeenAt,
    open_alerts: ({ openAlertCount }) => openAlertCount,
  }, { getId: ({ id }) => id, getTexts: ({ name, email, department }) => [name, email, department] }),
}

export const indicatorSample: ListSample<Indicator> = {
  name: 'indicators', of: ({ indicators }) => indicators,
  add: async ({ indicators }, tenant, { number, seed }) => {
    const facts = {
      type: pick(indicatorTypes, seed), value: pick(texts, seed), source: `${pick(texts, seed + 1)} ${number}`, description: pick(texts, seed + 2),
      confidence: seed % 3, reputationScore: seed % 4, validFrom: seed % 5, validUntil: seed % 3 === 0 ? undefined : seed % 9,
    }
    await indicators.upsert(tenant, [statedIndicator(facts, `i${number}`)], 1 + (seed % 4))
    if (seed % 2 === 0) await indicators.noteHits(tenant, new Map([[`i${number}`, seed % 3]]), 5)
  },
  remove: ({ indicators }, tenant, { id }) => indicators.remove(tenant, id),
  reader: readerOf(indicatorFields, {
    created_at: ({ createdAt }) => createdAt, value: ({ value }) => value, confidence: ({ confidence }) => confidence,
    reputation_score: ({ reputationScore }) => reputationScore, valid_from: ({ validFrom }) => validFrom,
    valid_until: ({ validUntil = Number.MAX_SAFE_INTEGER }) => validUntil, hits: ({ hitCount }) => hitCount, type: ({ type }) => type,
    source: ({ source }) => source,
  }, { getId: ({ id }) => id, getTexts: ({ value, source, description }) => [value, source, description] }),
}

export const subdomainSample: ListSample<Subdomain> = {
  name: 'subdomains', of: ({ subdomains }) => subdomains,
  add: ({ subdomains }, tenant, { number, seed }) => subdomains.upsert(tenant, [statedSubdomain({
    name: `${pick(texts, seed)} ${number}`, domain: pick(texts, seed + 1), ip: pick(texts, seed + 2), sources: seed % 2 === 0 ? ['dns'] : [],
    firstSeenAt: seed % 3 === 0 ? undefined : seed % 3, lastSeenAt: seed % 4 === 0 ? undefined : seed % 4,
  }, `s${number}`)], 1),
  remove: ({ subdomains }, tenant, { id }) => subdomains.remove(tenant, id),
  reader: readerOf(subdomainFields, {
    name: ({ name }) => name, domain: ({ domain }) => domain, ip: ({ ip }) => ip, first_seen: ({ firstSeenAt = 0 }) => firstSeenAt,
    last_seen: ({ lastSeenAt = 0 }) => lastSeenAt,
  }, { getId: ({ id }) => id, getTexts: ({ name, ip }) => [name, ip] }),
}

export const requestSample: ListSample<DataSubjectRequest> = {
  name: 'requests of data subjects', of: ({ dataSubjectRequests }) => dataSubjectRequests,
  add: ({ dataSubjectRequests }, tenant, { number, seed }) => dataSubjectRequests.insert(tenant, dataSubjectRequestWith({
    id: `r${number}`, type: pick(requestTypes, seed), law: pick(requestLaws, seed), status: pick(requestStatuses, seed), subjectRef: pick(texts, seed),
    note: pick(texts, seed + 1), receivedAt: seed % 3, dueAt: seed % 5, closedAt: seed % 4 === 0 ? undefined : seed % 4,
  })),
  remove: ({ dataSubjectRequests }, tenant, { id }) => dataSubjectRequests.remove(tenant, id),
  reader: readerOf(requestFields, {
    due_at: ({ dueAt }) => dueAt, received_at: ({ receivedAt }) => receivedAt, closed_at: ({ closedAt = 0 }) => closedAt, type: ({ type }) => type,
    status: ({ status }) => status, law: ({ law }) => law,
  }, { getId: ({ id }) => id, getTexts: ({ subjectRef, note, id }) => [subjectRef, note, id] }),
}
