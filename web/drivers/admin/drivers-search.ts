import { listDriverDays } from '@qatra/contract/drivers'
import { read } from '../../app/call.ts'
import { dayIn, idIn } from '../../app/search-state.ts'

export const driversShape = { date: dayIn, driver: idIn }
export const daysQuery = (date: string | undefined) => read(listDriverDays, { query: date ? { date } : {} })
