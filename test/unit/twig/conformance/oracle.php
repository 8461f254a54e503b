<?php
// Renders cases given as JSON on standard input with PHP's own Twig and prints the results as JSON.
require '/usr/share/php/Twig/autoload.php';
foreach (['Html', 'Intl', 'String'] as $extra) {
    $file = "/usr/share/php/Twig/Extra/$extra/autoload.php";
    if (is_file($file)) {
        require_once $file;
    }
}
date_default_timezone_set('UTC');

function decode_value($value)
{
    if (!is_array($value)) {
        return $value;
    }
    if (isset($value['$safe'])) {
        return new Twig\Markup($value['$safe'], 'UTF-8');
    }
    if (isset($value['$date'])) {
        return new DateTimeImmutable($value['$date']);
    }

    return array_map('decode_value', $value);
}

function render_case(array $case): array
{
    $twig = new Twig\Environment(new Twig\Loader\ArrayLoader($case['templates']));
    $twig->addExtension(new Twig\Extension\StringLoaderExtension());
    foreach (['Html\HtmlExtension', 'Intl\IntlExtension', 'String\StringExtension'] as $class) {
        $class = "Twig\\Extra\\$class";
        if (class_exists($class)) {
            $twig->addExtension(new $class());
        }
    }
    foreach ($case['globals'] ?? [] as $name => $value) {
        $twig->addGlobal($name, $value);
    }
    try {
        return ['expected' => $twig->render('main', decode_value($case['context'] ?? []))];
    } catch (Twig\Error\Error $error) {
        $source = $error->getSourceContext();

        return ['error' => ['line' => $error->getTemplateLine(), 'template' => $source ? $source->getName() : '']];
    } catch (Throwable $error) {
        return ['error' => ['line' => 0, 'template' => '', 'php' => $error->getMessage()]];
    }
}

error_reporting(E_ALL & ~E_WARNING & ~E_NOTICE & ~E_DEPRECATED);
$cases = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
echo json_encode(array_map('render_case', $cases), JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE);
