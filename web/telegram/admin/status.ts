import { getTelegram } from '@qatra/contract/telegram'
import { read } from '../../app/call.ts'

export const telegramStatus = () => read(getTelegram)

/** Names from elsewhere keep their own direction within a sentence. */
export const isolated = (name: string) => `\u2068${name}\u2069`
