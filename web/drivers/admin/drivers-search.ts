import { listDriverDays } from '@qatra/contract/drivers'
import { dayIn, idIn } from '../../app/routes/search-state.ts'
import { read } from '../../lib/api-client.ts'

export const driversShape = { date: dayIn, driver: idIn }
export const daysQuery = (date: string | undefined) => read(listDriverDays, { query: date ? { date } : {} })
