import { closeDay } from '@qatra/contract/calendar/admin'
import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { until } from '../../test/fixtures/codes.ts'
import { makeUser } from '../../test/fixtures/make.ts'
import { openSalesDesk } from '../../test/fixtures/sales-desk.ts'
import { lockWaits } from '../../test/lock-waits.ts'

const shop = await startShop({ role: 'web', databasePoolSize: 10 })
const { boss, saleInput, sell } = await openSalesDesk(shop)

it('a phone order that waits for its customer does not delay the closing of a day', async () => {
  const { id, phone } = await makeUser(shop)
  const holding = await shop.app.pool.connect()
  await holding.query('begin')
  // As checkout does, which takes the calendar's lock next.
  await holding.query('select from users where id = $1 for no key update', [id])
  const selling = sell(saleInput({ phone }))
  await until('the sale to wait', async () => (await lockWaits(shop)) > 0)
  const closed = await boss.call(closeDay, { body: { day: addDays(bahrainDate(new Date()), 300) } })
  await holding.query('commit')
  holding.release()
  expect([closed.status, (await selling).status]).toEqual([200, 200])
})
