import type { Input } from '@qatra/contract/endpoint'
import type { sendSimulatedMessage } from '../contract/simulator.ts'

/** A message of a simulated customer, without the sender. */
export type Written = Omit<Input<typeof sendSimulatedMessage>['body'], 'from'>
