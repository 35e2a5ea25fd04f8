import * as api from '@qatra/contract/users/addresses'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import { userOf } from '../database/context.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { changeAddress, createAddress, removeAddress } from './address-book.commands.ts'
import { describeAddress, listAddressRows } from './address-book.queries.ts'

export function addressBookRoutes(app: App, { current }: Pick<ReferenceData<AreaSnapshot>, 'current'>) {
  serve(app, api.listAddresses, async (ctx) =>
    (await listAddressRows(ctx, userOf(ctx).id)).map((row) => describeAddress(current(), row)),
  )
  serve(app, api.createAddress, (ctx, { body }) => createAddress(ctx, current(), body))
  serve(app, api.changeAddress, (ctx, { params, body }) => changeAddress(ctx, current(), params.id, body))
  serve(app, api.removeAddress, (ctx, { params }) => removeAddress(ctx, params.id))
}
