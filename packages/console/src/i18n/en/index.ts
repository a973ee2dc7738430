import { enAlerts } from './alerts.ts'
import { enCommon } from './common.ts'
import { enHealth } from './health.ts'
import { enLogin } from './login.ts'
import { enPipeline } from './pipeline.ts'

/** All texts in English; each page adds a file. */
export const en = { ...enCommon, ...enLogin, ...enAlerts, ...enPipeline, ...enHealth } as const
