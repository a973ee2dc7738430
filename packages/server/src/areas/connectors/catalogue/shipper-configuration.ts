import type { ShipperConfigurationBody } from '@tripline/contract/console/sources/connector-type'
import type { ServerPlace } from './server-place.ts'

/** A product, and the configuration that points it at a server. */
type ShipperConfiguration = Pick<ShipperConfigurationBody, 'product' | 'name' | 'file' | 'language'> & {
  readonly print: (place: ServerPlace) => string
}

/** The products that send to connectors of one type. */
export type ShipperTable = readonly ShipperConfiguration[]
