import type { Alert } from '@tripline/model/alert'
import { alertStatusWords } from '@tripline/model/alert-status'
import { incidentStatuses } from '@tripline/model/incidents/incident-status'
import type { Incident } from '@tripline/model/incidents/incident'
import { deriveId } from '@tripline/model/ids'
import { recordStep } from '@tripline/model/playbooks/playbook'
import type { PlaybookRun, PlaybookStep, StepStatus } from '@tripline/model/playbooks/playbook'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'

type LocalStep = Exclude<PlaybookStep, { readonly type: 'webhook' }>
type StepEnd = { readonly status: Exclude<StepStatus, 'pending' | 'running'>; readonly result: string }

type Taking = {
  readonly notify: NotifyChannel
  readonly run: PlaybookRun
  readonly index: number
  readonly step: LocalStep
  readonly at: number
}

/** What a step is about. */
type Subject =
  | { readonly kind: 'alert'; readonly alert: Alert }
  | { readonly kind: 'incident'; readonly incident: Incident }

type Work = Pick<Taking, 'at' | 'notify'> & {
  readonly stores: Stores
  readonly tenant: TenantId
  readonly subject: Subject
  readonly by: string
  readonly id: string
}

/** Takes a step of a run in a transaction, with the record of it, and returns the run after it. */
export async function takeStep(stores: Stores, tenant: TenantId, { run, index, step, at, notify }: Taking): Promise<PlaybookRun> {
  const subject = await findSubject(stores, tenant, run)
  const by = `playbook:${run.playbookName}`
  // The same each time, so that no comment is there twice.
  const id = deriveId(run.createdAt, [run.id, index])
  const end: StepEnd = subject === undefined
    ? { status: 'failed', result: `the ${run.subject} does not exist any more` }
    : await takeLocalStep({ stores, tenant, subject, by, id, at, notify }, step)
  const after = recordStep(run, index, end, at)
  await stores.playbooks.saveRun(tenant, after)
  await stores.audit.append(tenant, {
    at, actor: { type: 'system', id: by, email: undefined }, action: 'playbook.step', target: { type: run.subject, id: run.subjectId },
    outcome: end.status === 'failed' ? 'failed' : 'success', diff: { run_id: run.id, step: index + 1, type: step.type, result: end.result },
    ip: undefined, userAgent: undefined, requestId: undefined,
  })
  return after
}

async function findSubject(
  { alerts, incidents }: Stores, tenant: TenantId, { subject, subjectId }: PlaybookRun,
): Promise<Subject | undefined> {
  if (subject === 'alert') {
    const alert = await alerts.get(tenant, subjectId)
    return alert && { kind: subject, alert }
  }
  const incident = await incidents.get(tenant, subjectId)
  return incident && { kind: subject, incident }
}

async function takeLocalStep(work: Work, step: LocalStep): Promise<StepEnd> {
  switch (step.type) {
    case 'comment':
      return await comment(work, step.content)
    case 'set_status':
      return await setStatus(work, step.status)
    case 'assign':
      return await assign(work, step.assignee)
    case 'tag_asset':
      return await tagAssets(work, step.tag)
    case 'notify':
      return await notifyChannel(work, step.channel)
  }
}

/** Queues a notification in the transaction of a step. */
export type NotifyChannel = (
  stores: Stores, tenant: TenantId, notification: {
    readonly channelId: string
    /** The same each time the step is taken. */
    readonly id: string
    readonly at: number
    readonly by: string
    readonly kind: 'alert' | 'incident'
    readonly subjectId: string
    readonly title: string
    readonly level: Alert['level']
  },
) => Promise<StepEnd>

async function notifyChannel({ stores, tenant, subject, by, id, at, notify }: Work, channelId: string): Promise<StepEnd> {
  const facts = subject.kind === 'alert'
    ? { subjectId: subject.alert.id, title: subject.alert.ruleTitle, level: subject.alert.level }
    : { subjectId: subject.incident.id, title: subject.incident.title, level: subject.incident.level }
  return await notify(stores, tenant, { channelId, id, at, by, kind: subject.kind, ...facts })
}

async function comment({ stores, tenant, subject, by, id, at }: Work, text: string): Promise<StepEnd> {
  const { commentsMax } = limits.lists
  const terms = { expectedVersion: undefined, at, by }
  const count = subject.kind === 'incident'
    ? subject.incident.commentCount
    : (await stores.alerts.comments(tenant, subject.alert.id)).length
  if (count >= commentsMax) return { status: 'failed', result: `there are ${commentsMax} comments, which is the limit` }
  if (subject.kind === 'incident') await stores.incidents.addComment(tenant, subject.incident.id, { id, text }, terms)
  else await stores.alerts.update(tenant, subject.alert.id, { comment: { id, author: by, text } }, terms)
  return { status: 'succeeded', result: 'commented' }
}

async function setStatus({ stores, tenant, subject, by, at }: Work, word: string): Promise<StepEnd> {
  const terms = { expectedVersion: undefined, at, by }
  if (subject.kind === 'incident') {
    const status = incidentStatuses.find((known) => known === word)
    if (status === undefined) return { status: 'failed', result: `'${word}' is no status of an incident` }
    const { outcome } = await stores.incidents.update(tenant, subject.incident.id, { status }, terms)
    return { status: 'succeeded', result: outcome === 'unchanged' ? `was ${word} already` : `set to ${word}` }
  }
  const entry = Object.entries(alertStatusWords).find(([known]) => known === word)
  if (entry === undefined) return { status: 'failed', result: `'${word}' is no status of an alert` }
  const { outcome } = await stores.alerts.update(tenant, subject.alert.id, { status: entry[1], by }, terms)
  return { status: 'succeeded', result: outcome === 'unchanged' ? `was ${word} already` : `set to ${word}` }
}

async function assign({ stores, tenant, subject, by, at }: Work, email: string): Promise<StepEnd> {
  const user = await stores.users.findByEmail(tenant, email)
  if (user?.isActive !== true) return { status: 'failed', result: `${email} is no active user` }
  const terms = { expectedVersion: undefined, at, by }
  if (subject.kind === 'incident') await stores.incidents.update(tenant, subject.incident.id, { assignee: user.email }, terms)
  else await stores.alerts.update(tenant, subject.alert.id, { assignee: user.email, by }, terms)
  return { status: 'succeeded', result: `assigned to ${user.email}` }
}

async function tagAssets({ stores: { assets }, tenant, subject, at }: Work, tag: string): Promise<StepEnd> {
  const hosts = subject.kind === 'alert'
    ? [subject.alert.event.host.toLowerCase()]
    : subject.incident.entities.filter(({ kind }) => kind === 'host').map(({ value }) => value)
  const tagged: string[] = []
  for (const host of hosts) {
    const [first = ''] = host.split('.')
    const asset = await assets.findByHostname(tenant, host) ?? await assets.findByHostname(tenant, first)
    if (asset === undefined) continue
    const tags = [...new Set([...asset.tags, tag])]
    if (tags.length > limits.enrichment.entryListMax) return { status: 'failed', result: `asset ${asset.hostname} has too many tags` }
    await assets.update(tenant, asset.id, { tags }, { expectedVersion: undefined, at })
    tagged.push(asset.hostname)
  }
  return tagged.length === 0
    ? { status: 'skipped', result: 'no host of it is a known asset' }
    : { status: 'succeeded', result: `tagged ${tagged.join(', ')}`.slice(0, limits.playbooks.resultLengthMax) }
}
