import { enAlerts } from './alerts.ts'
import { enCommon } from './common.ts'
import { enDashboard } from './dashboard.ts'
import { enHealth } from './health.ts'
import { enIncidents } from './incidents.ts'
import { enLogin } from './login.ts'
import { enPipeline } from './pipeline.ts'
import { enRules } from './rules.ts'
import { enSearch } from './search.ts'

/** All texts in English; each page adds a file. */
export const en = {
  ...enCommon, ...enLogin, ...enDashboard, ...enAlerts, ...enIncidents, ...enSearch, ...enRules, ...enPipeline, ...enHealth,
} as const
