import type { Input } from '@qatra/contract/endpoint'
import type { sendSimulatedMessage } from '@qatra/contract/simulator/simulator'

/** A message of a simulated customer, without the sender. */
export type Written = Omit<Input<typeof sendSimulatedMessage>['body'], 'from'>
