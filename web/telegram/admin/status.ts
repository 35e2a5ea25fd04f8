import { getTelegram, type TelegramStatus } from '@qatra/contract/telegram'
import type { User } from '@qatra/contract/users/auth'
import { read } from '../../lib/api-client.ts'

export const telegramStatus = () => read(getTelegram)

/** Only super admins use the group with the customers' conversations. */
export const mayUseGroup = ({ hasGroup }: Pick<TelegramStatus, 'hasGroup'>, user: User | null) =>
  hasGroup && user?.role === 'super_admin'
