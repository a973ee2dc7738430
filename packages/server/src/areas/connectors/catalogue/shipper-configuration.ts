import type { ShipperConfigurationBody } from '@tripline/contract/console/sources/connector-type'
import type { IntakeAddress } from './intake-address.ts'

/** A product, and the configuration that points it at a server. */
type ShipperConfiguration = Pick<ShipperConfigurationBody, 'product' | 'name' | 'file' | 'language'> & {
  readonly print: (place: IntakeAddress) => string
}

/** The products that send to connectors of one type. */
export type ShipperTable = readonly ShipperConfiguration[]
