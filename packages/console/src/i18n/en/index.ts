import { enAlertPanel } from './alert-panel.ts'
import { enAlerts } from './alerts.ts'
import { enAssets } from './assets.ts'
import { enAudit } from './settings/audit.ts'
import { enAutomation } from './settings/automation.ts'
import { enChannels } from './settings/channels.ts'
import { enCommon } from './common.ts'
import { enCompliance } from './compliance.ts'
import { enConnectors } from './connectors.ts'
import { enDashboard } from './dashboard.ts'
import { enData } from './settings/data.ts'
import { enHealth } from './health.ts'
import { enIncidents } from './incidents.ts'
import { enLogin } from './login.ts'
import { enOverlays } from './overlays.ts'
import { enPalette } from './palette.ts'
import { enPipeline } from './pipeline.ts'
import { enPlayground } from './playground.ts'
import { enPortal } from './portal.ts'
import { enProvisioning } from './settings/provisioning.ts'
import { enReports } from './reports.ts'
import { enRule } from './rule.ts'
import { enRuleParts } from './rule-parts.ts'
import { enRulePipelines } from './settings/rule-pipelines.ts'
import { enRules } from './rules.ts'
import { enSearch } from './search.ts'
import { enSettings } from './settings.ts'
import { enTools } from './tools.ts'
import { enWorkbench } from './workbench.ts'

/** All texts in English; each page adds a file. */
export const en = {
  ...enCommon, ...enAlerts, ...enAlertPanel, ...enOverlays,
  ...enLogin, ...enDashboard, ...enIncidents, ...enSearch, ...enRules, ...enRuleParts, ...enPlayground, ...enRule, ...enPipeline,
  ...enHealth, ...enWorkbench, ...enAssets, ...enConnectors, ...enPortal, ...enSettings, ...enCompliance, ...enReports,
  ...enChannels, ...enProvisioning, ...enRulePipelines, ...enAudit, ...enPalette,
  ...enData, ...enAutomation, ...enTools,
} as const
