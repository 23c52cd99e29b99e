import { db, payments } from './shop.js';

const perPage = 20;

/** One page of a customer's sales. Pages are counted from 0. */
export async function listSales(customer, page = 0) {
  const sql = 'SELECT * FROM sales WHERE customer = ? LIMIT ? OFFSET ?';
  return db.all(sql, [customer, perPage, page * perPage]);
}

/** Gives the money of a sale back, once. */
export async function refund(sale) {
  if (sale.refundedAt !== null) throw new Error('It was refunded before.');
  await payments.refund(sale.payment, sale.total);
  await db.update('sales', sale.id, { refundedAt: new Date() });
}
