import { Stopped, watchForStop } from '../../../services/cli/up/stop-signal.ts';

const signal = watchForStop(process.env);
process.stdout.write(`watching ${process.pid}\n`);
const timer = setInterval(() => process.stdout.write('still\n'), 700);
signal.addEventListener('abort', () => {
  clearInterval(timer);
  process.stdout.write(signal.reason instanceof Stopped ? 'stopped\n' : 'failed\n');
  process.exit();
});
