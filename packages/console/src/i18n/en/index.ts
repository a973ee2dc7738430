import { enAlerts } from './alerts.ts'
import { enCommon } from './common.ts'
import { enLogin } from './login.ts'

/** All texts in English; each page adds a file. */
export const en = { ...enCommon, ...enLogin, ...enAlerts } as const
