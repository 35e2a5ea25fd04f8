import type { Input } from '@qatra/contract/endpoint'
import type { sendSimulatedMessage } from '@qatra/contract/simulator'

/** What a make-believe customer sends, without whose phone it is. */
export type Written = Omit<Input<typeof sendSimulatedMessage>['body'], 'from'>
