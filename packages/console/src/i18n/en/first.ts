import { enAlerts } from './alerts.ts'
import { enCommon } from './common.ts'

/** The texts of the frame and the page that is opened most: they are part of the entry. */
export const enFirst = { ...enCommon, ...enAlerts } as const
