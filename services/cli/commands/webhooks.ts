import type { Command } from 'commander';
import { addCommand } from '../command-options.ts';
import { addRangeOptions } from '../range-options.ts';
import { command } from '../run-command.ts';
import * as deliveries from '../webhooks/deliveries.ts';
import * as integrations from '../webhooks/integrations.ts';

/** Adds `fieldstone webhooks …`. */
export function register(program: Command): void {
  const webhooks = program.command('webhooks').description('integrations and their deliveries');
  const add = (name: string, description: string) => addCommand(webhooks, name, description);

  add('list', 'list integrations, newest first')
    .option('--site <slug>', 'of one site')
    .action(command(integrations.list));
  addRangeOptions(add('deliveries <integration>', 'list deliveries, newest first'))
    .option('--limit <n>', 'at most this number (100)')
    .action(command(deliveries.list));
  add('show <delivery>', 'show a delivery with its bytes and its way to the live site').action(
    command(deliveries.show),
  );
  addRangeOptions(add('replay [deliveries...]', 'process deliveries again from their recorded bytes'))
    .option('--integration <slug>', 'the range of one integration')
    .option('--dry-run', 'print what would change and change nothing')
    .action(command(deliveries.replayAll));
  add('secret <integration>', 'show the signing secret').action(command(integrations.secret));
  add('rotate <integration>', 'make a new secret; the old one stays valid for 24 hours').action(
    command(integrations.rotate),
  );
  add('enable <integration>', 'accept deliveries').action(command(integrations.setEnabled(true)));
  add('disable <integration>', 'respond to deliveries with 404').action(command(integrations.setEnabled(false)));
  add('send <file>', 'sign a file and send it; - reads standard input')
    .requiredOption('--integration <slug>', 'where to')
    .option('--url <origin>', 'the origin of the service, when it is not FIELDSTONE_URL')
    .option('--delivery-id <id>', 'a random one when absent')
    .action(command(integrations.send));
}
