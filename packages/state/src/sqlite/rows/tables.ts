import type { AlertStatus } from '@tripline/model/alert'
import type { MatchVerdict } from '@tripline/model/match'
import type { Rule } from '@tripline/model/rule'
import type { Flag } from '../query/dialect.ts'
import type { AuditTables } from './audit-tables.ts'
import type { ChannelTables } from './channel-tables.ts'
import type { CollectorRow, EnrolmentTokenRow } from './collector-tables.ts'
import type { ConnectorMomentRow, ConnectorRow } from './connector-tables.ts'
import type { ComplianceTables } from './compliance-tables.ts'
import type { ProvisioningTables } from './provisioning-tables.ts'
import type { IncidentAlertRow, IncidentCommentRow, IncidentEntityRow, IncidentRow, IncidentTimelineRow } from './incident-tables.ts'
import type { PlaybookRow, PlaybookRunRow } from './playbook-tables.ts'
import type { AssetActivityRow, AssetBindingRow, AssetBlindSpotRow, AssetIdentifierRow, AssetRiskRow } from './asset-tables.ts'
import type { FindingRow, VulnerabilityRow } from './finding-tables.ts'
import type { AssetAddressRow, AssetRow, IndicatorRow, PersonNameRow, PersonRow, SubdomainRow } from './enrichment-tables.ts'
import type { BacktestRow, BulkChangeRow, RulePipelineRow, RuleVersionRow, SavedViewRow, UserPreferencesRow } from './work-tables.ts'
import type { WebhookDeliveryRow, WebhookEventRow, WebhookRow } from './webhook-tables.ts'

/** The columns of the tables after all migrations: whole numbers, texts, bytes and NULL, as `dialect.ts` describes. */
export type Tables = AuditTables & ComplianceTables & ChannelTables & ProvisioningTables & {
  readonly kyselyMigration: { readonly name: string; readonly timestamp: string }
  readonly migrationChecksums: { readonly name: string; readonly checksum: string }
  /** Of release 0.1.0. */
  readonly schemaVersions: { readonly version: number; readonly name: string; readonly checksum: string }
  readonly checksumColumns: { readonly tableName: string; readonly columns: string }
  readonly tenants: TenantRow
  readonly accounts: AccountRow
  readonly users: UserRow
  readonly apiKeys: ApiKeyRow
  readonly savedViews: SavedViewRow
  readonly userPreferences: UserPreferencesRow
  readonly sessions: SessionRow
  readonly signOn: SignOnRow
  readonly signOnDomains: { readonly domain: string; readonly tenantId: string }
  readonly usedAssertions: { readonly tenantId: string; readonly hash: string; readonly expiresAt: number }
  readonly rules: RuleRow
  readonly alerts: AlertRow
  readonly alertMatches: AlertMatchRow
  readonly alertMembers: AlertMemberRow
  readonly alertComments: AlertCommentRow
  readonly alertCounts: AlertCountRow
  readonly backtests: BacktestRow
  readonly bulkChanges: BulkChangeRow
  readonly rulePipelines: RulePipelineRow
  readonly ruleVersions: RuleVersionRow
  readonly verdictCounts: VerdictCountRow
  readonly requests: RequestRow
  readonly checkpoints: CheckpointRow
  readonly connectors: ConnectorRow
  readonly connectorMoments: ConnectorMomentRow
  readonly collectors: CollectorRow
  readonly enrolmentTokens: EnrolmentTokenRow
  readonly metricPoints: MetricPointRow
  readonly metricTotals: MetricTotalRow
  readonly writeChecks: { readonly id: number; readonly count: number }
  readonly assets: AssetRow
  readonly assetAddresses: AssetAddressRow
  readonly assetIdentifiers: AssetIdentifierRow
  readonly assetBindings: AssetBindingRow
  readonly assetActivity: AssetActivityRow
  readonly assetFindings: FindingRow
  readonly assetBlindSpots: AssetBlindSpotRow
  readonly assetRisks: AssetRiskRow
  readonly vulnerabilities: VulnerabilityRow
  readonly persons: PersonRow
  readonly personNames: PersonNameRow
  readonly indicators: IndicatorRow
  readonly subdomains: SubdomainRow
  readonly domainEvents: DomainEventRow
  readonly jobs: JobRow
  readonly playbooks: PlaybookRow
  readonly playbookRuns: PlaybookRunRow
  readonly incidents: IncidentRow
  readonly incidentEntities: IncidentEntityRow
  readonly incidentAlerts: IncidentAlertRow
  readonly incidentComments: IncidentCommentRow
  readonly incidentTimeline: IncidentTimelineRow
  readonly webhooks: WebhookRow
  readonly webhookEvents: WebhookEventRow
  readonly webhookDeliveries: WebhookDeliveryRow
  readonly domainEventPositions: { readonly tenantId: string; readonly consumer: string; readonly seq: number }
}

export type JobRow = {
  readonly name: string
  readonly dueAt: number
  /** NULL where no process runs it. */
  readonly owner: string | null
  readonly leasedUntil: number
  readonly attempts: number
  readonly lastSuccessAt: number | null
  readonly lastError: string | null
}

export type DomainEventRow = {
  readonly tenantId: string
  readonly seq: number
  readonly type: string
  readonly subjectId: string
  readonly at: number
  /** JSON. */
  readonly data: string
}

export type TenantRow = {
  readonly id: string
  readonly name: string
  readonly isActive: Flag
  readonly settings: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

type AccountRow = {
  /** Normalised by `normalizeAccountEmail`. */
  readonly email: string
  readonly passwordHash: string | null
  /** In base64url. */
  readonly totpSecret: string | null
  readonly totpStepUsed: number
  readonly hasOneTimePassword: Flag
}

export type UserRow = {
  readonly tenantId: string
  readonly id: string
  readonly email: string
  /** The account: the email normalised by `normalizeAccountEmail`. */
  readonly account: string
  readonly name: string
  readonly roles: string
  readonly isActive: Flag
  readonly permissionsVersion: number
  /** Empty for a user with an account here. */
  readonly externalIssuer: string
  readonly tokensValidFrom: number
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly interface: 'console' | 'portal'
}

export type ApiKeyRow = {
  readonly tenantId: string
  readonly publicId: string
  readonly name: string
  readonly scope: string
  readonly apiProfile: string
  /** As JSON. */
  readonly resources: string
  readonly requestsPerMinute: number | null
  readonly allowedCidrs: string
  /** In hexadecimal. */
  readonly hash: string
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
  readonly lastUsedIp: string | null
  readonly version: number
  readonly updatedAt: number
}

export type SessionRow = {
  readonly tenantId: string
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  readonly refreshedAt: number
  readonly generation: number
  readonly revokedAt: number | null
  /** JSON; empty for a session that was opened by password. */
  readonly claims: string
  /** JSON; empty where it is not known. */
  readonly client: string
}

export type SignOnRow = {
  readonly tenantId: string
  readonly protocol: string
  readonly isEnabled: Flag
  readonly isEnforced: Flag
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** JSON. */
  readonly scopes: string
  readonly loginUrl: string
  /** JSON. */
  readonly certificates: string
  readonly breakGlassUserId: string
  /** JSON; empty before the first test. */
  readonly lastTest: string
  readonly version: number
  readonly updatedAt: number
}

export type RuleRow = {
  readonly tenantId: string
  readonly id: string
  readonly definition: string
  readonly facts: string
  readonly isEnabled: Flag
  readonly lifecycle: Rule['lifecycle']
  readonly origin: Rule['origin']
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type AlertRow = {
  readonly tenantId: string
  readonly id: string
  readonly ruleId: string
  readonly ruleTitle: string
  /** 0 where it is unknown. */
  readonly ruleVersion: number
  /** The rank of the level, so that lists sort by severity. */
  readonly level: number
  readonly status: AlertStatus
  readonly verdict: MatchVerdict
  readonly assignee: string
  readonly source: string
  readonly sourceIp: string
  readonly product: string
  readonly description: string
  readonly host: string
  readonly userName: string
  readonly processName: string
  readonly commandLine: string
  readonly statedTime: string
  readonly tactics: string
  readonly techniques: string
  readonly enrichment: string
  readonly assetCriticality: string
  readonly incidentId: string
  readonly dedupKey: string
  /** Empty, and 0, before a review. */
  readonly reviewedBy: string
  readonly reviewedAt: number
  readonly eventCount: number
  readonly lastSeenAt: number
  readonly firstEventAt: number
  readonly lastEventAt: number
  readonly reopenedCount: number
  readonly version: number
  readonly editedVersion: number
  readonly createdAt: number
  readonly updatedAt: number
  /** 0 before. */
  readonly acknowledgedAt: number
  readonly closedAt: number
}

export type AlertMatchRow = {
  readonly tenantId: string
  readonly matchId: string
  readonly alertId: string
  /** The number of the match within its alert, from 1. */
  readonly number: number
  readonly ruleId: string
  readonly matchedAt: number
  readonly host: string
  readonly userName: string
  readonly processName: string
  readonly commandLine: string
  readonly statedTime: string
  readonly event: string | null
  /** The time and offset of the stored event; null where it is unknown. */
  readonly eventAt: number | null
  readonly eventOffset: number | null
}

/** A stored event that a correlation counted, beside the newest of its match. */
type AlertMemberRow = {
  readonly tenantId: string
  readonly alertId: string
  readonly eventOffset: number
  readonly eventAt: number
}

type AlertCommentRow = {
  readonly tenantId: string
  readonly alertId: string
  readonly id: string
  readonly author: string
  readonly text: string
  readonly createdAt: number
}

type AlertCountRow = {
  readonly tenantId: string
  readonly status: AlertStatus
  readonly level: number
  readonly count: number
}

type VerdictCountRow = {
  readonly tenantId: string
  readonly ruleId: string
  readonly verdict: MatchVerdict
  readonly count: number
}

export type RequestRow = {
  readonly tenantId: string
  readonly route: string
  readonly key: string
  readonly bodyHash: string
  readonly begunAt: number
  /** NULL, with headers and body, while it runs. */
  readonly status: number | null
  readonly headers: string | null
  readonly body: string | null
}

type CheckpointRow = {
  readonly tenantId: string
  readonly stage: string
  readonly part: string
  readonly bytes: Uint8Array
}

export type MetricPointRow = {
  readonly tenantId: string
  readonly resolution: string
  readonly name: string
  readonly startsAt: number
  readonly label: string
  readonly value: number
  readonly histogram: string | null
}

type MetricTotalRow = { readonly tenantId: string; readonly name: string; readonly label: string; readonly value: number }
