import { getTelegram } from '@qatra/contract/telegram'
import { read } from '../../lib/api-client.ts'

export const telegramStatus = () => read(getTelegram)

/** Isolates the direction of a foreign name within a sentence. */
export const isolated = (name: string) => `\u2068${name}\u2069`
