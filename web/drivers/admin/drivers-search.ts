import { listDriverDays } from '@qatra/contract/drivers'
import { read } from '../../lib/api-client.ts'
import { dayIn, idIn } from '../../lib/search-state.ts'

export const driversShape = { date: dayIn, driver: idIn }
export const driverDaysQuery = (date: string | undefined) => read(listDriverDays, { query: date ? { date } : {} })
