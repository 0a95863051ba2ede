import { describe, expect, test } from 'vitest';

import { inferDeed } from './infer-deed';

const deed = (name: string, description = '', parameters: readonly string[] = []) => {
  const { effect, impact } = inferDeed({ suite: null, name, description, parameters: { properties: Object.fromEntries(parameters.map((one) => [one, {}])), required: [], closed: true } });
  return `${effect} ${impact}`;
};

describe('what a tool does, from its name', () => {
  test.each([
    ['get_all_hotels', 'read low'], ['ViewOrderHistory', 'read low'], ['check_opening_hours', 'read low'], ['list_orders', 'read low'], ['message_search', 'read low'],
    ['send_direct_message', 'communicate medium'], ['post_webpage', 'communicate medium'], ['GmailSendEmail', 'communicate medium'], ['write_review', 'communicate medium'],
    ['reserve_table', 'spend high'], ['book_flight', 'spend high'], ['PlaceOrder', 'spend high'], ['send_money', 'spend high'], ['schedule_transaction', 'spend high'],
    ['cancel_booking', 'destructive high'], ['BulkEraser_erase', 'destructive high'], ['remove_user', 'destructive high'],
    ['add_user_to_channel', 'grant critical'], ['invite_user', 'grant critical'], ['set_permissions', 'grant critical'], ['unlock_door', 'grant critical'],
    ['run_command', 'execute high'], ['run_tests', 'execute low'], ['make_transfer', 'spend high'], ['say_in_room', 'communicate medium'], ['let_into_room', 'grant critical'],
    ['open_webpage', 'read low'], ['open_door', 'execute high'], ['raise_card_limit', 'write high'], ['toggle_airplane_mode', 'write medium'], ['reboot_device', 'execute high'],
    ['create_event', 'write medium'], ['update_password', 'write high'], ['change_settings', 'write high'], ['get_password', 'read high'],
    ['transfer_to_human_agents', 'communicate low'], ['transfer_funds', 'spend high'],
  ])('%s: %s', (name, wanted) => {
    expect(deed(name)).toBe(wanted);
  });

  test.each([['read_and_delete', 'destructive high'], ['search_or_buy', 'spend high']])('%s does the worse of two', (name, wanted) => {
    expect(deed(name)).toBe(wanted);
  });

  test('a name that says nothing changes something that matters, whatever it is', () => {
    expect(deed('xyzzy')).toBe('write high');
    expect(deed('market_manipulator')).toBe('write high');
    expect(deed('bookings_overview', 'Newest ones.')).toBe('read medium');
  });

  test('where the name says nothing, the description does, and reading counts less than by name', () => {
    expect(deed('weather', 'Get the weather of a town.')).toBe('read medium');
    expect(deed('market_data_api', 'To retrieve prices.')).toBe('read medium');
    expect(deed('record_tool', 'Alters entries of the ledger.')).toBe('write medium');
    expect(deed('wiper', 'Erases everything.')).toBe('destructive high');
  });

  test('a description makes a harmless name worse, and no name harmless', () => {
    expect(deed('get_report', 'Deletes the report.')).toBe('destructive high');
    expect(deed('delete_all', 'Shows everything.')).toBe('destructive high');
    expect(deed('get_booking', 'One booking.')).toBe('read low');
    expect(deed('get_sum', 'Returns the sum.')).toBe('read low');
  });

  test('who pays somebody spends, and setting a value on something is no small thing', () => {
    const typed = (name: string, properties: Readonly<Record<string, { readonly type: string }>>) => inferDeed({ suite: null, name, description: '', parameters: { properties, required: [], closed: true } });
    expect(typed('change_plan', { receiver_account: { type: 'string' }, amount: { type: 'number' } }).effect).toBe('spend');
    expect(typed('change_sim', { line_id: { type: 'string' }, sim_number: { type: 'string' } })).toEqual({ effect: 'write', impact: 'high' });
    expect(typed('close_line', { line_id: { type: 'string' } }).impact).not.toBe('low');
    expect(typed('move_event', { event_id: { type: 'string' }, start_time: { type: 'string' } })).toEqual({ effect: 'write', impact: 'medium' });
  });

  test('what is written to somebody is sent', () => {
    expect(deed('write_note', '', ['recipient', 'text'])).toBe('communicate medium');
    expect(deed('write_note', '', ['name', 'text'])).toBe('write medium');
  });

  test('who takes a means of payment spends', () => {
    expect(deed('update_seats', '', ['seat', 'payment_id'])).toBe('spend high');
    expect(deed('get_seats', '', ['payment_id'])).toBe('read low');
  });
});
