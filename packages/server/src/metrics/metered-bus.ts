import type { Bus } from '@tripline/storage/bus/bus'
import type { Meter } from './meter.ts'

/** Wraps a bus to count published messages by tenant and topic. */
export function createMeteredBus(bus: Bus, meter: Pick<Meter, 'count'>): Bus {
  return {
    consumer: (topic, name) => bus.consumer(topic, name),
    readKept: (topic, where) => bus.readKept(topic, where),
    discard: (topic, isKept) => bus.discard(topic, isKept),
    stats: (topic) => bus.stats(topic),
    close: () => bus.close(),
    publish: async (topic, tenant, messages, options) => {
      const receipt = await bus.publish(topic, tenant, messages, options)
      meter.count(tenant, 'topic_messages', { label: topic, by: messages.length })
      return receipt
    },
  }
}
