import { deleteProduct, getOfficeProduct, type OfficeProduct, updateProduct } from '@qatra/contract/products-office'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../app/call.ts'
import { useT } from '../../app/i18n.tsx'
import { useNameIn } from '../../app/names.ts'
import { toast } from '../../ui/Toast.tsx'
import { renewProducts } from './api.ts'

/** What is done to a product from the list and from its page. */
export function useProductActs() {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()

  /** At once, and it can be taken back: nobody is asked first. */
  async function offer(product: OfficeProduct, isActive: boolean, mayUndo = true): Promise<boolean> {
    const name = nameIn(product)
    try {
      const answer = await call(updateProduct, { params: { id: String(product.id) }, body: { isActive } })
      queries.setQueryData([getOfficeProduct.path, { params: { id: String(product.id) } }], answer)
      await renewProducts(queries)
      const undo = { label: t('officeProducts.undo'), onAct: () => void offer(answer, !isActive, false) }
      toast({
        title: t(isActive ? 'officeProducts.nowActive' : 'officeProducts.nowInactive', { name }),
        ...(mayUndo ? { action: undo, duration: 8000 } : {}),
      })
      return true
    } catch {
      toast({ title: t('officeProducts.switchFailed', { name }), tone: 'error' })
      return false
    }
  }

  /** @throws CallError */
  async function remove(product: OfficeProduct) {
    await call(deleteProduct, { params: { id: String(product.id) } })
    toast({ title: t('officeProducts.deleted', { name: nameIn(product) }) })
    queries.removeQueries({ queryKey: [getOfficeProduct.path, { params: { id: String(product.id) } }] })
    await renewProducts(queries)
  }

  return { offer, remove }
}
