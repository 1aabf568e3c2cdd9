package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in the arrays, texts, buffers and collections that an object of this library keeps, found by following its
 * fields. Objects of others, such as digests, count nothing: their size is fixed.
 * Nor do pooled buffers, which their {@link Pool} counts.
 */
final class Reachable {

    private static final int ENTRY = 48;

    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            return Arrays.stream(type.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers())
                            && !field.getType().isPrimitive())
                    .peek(field -> field.setAccessible(true))
                    .toList();
        }
    };

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final ArrayDeque<Object> left = new ArrayDeque<>();
    private long bytes;

    private Reachable() {}

    static long bytes(Object root) {
        Reachable reachable = new Reachable();
        reachable.add(root);
        for (Object next = reachable.left.poll(); next != null; next = reachable.left.poll()) {
            reachable.visit(next);
        }
        return reachable.bytes;
    }

    private void add(@Nullable Object object) {
        if (object != null && !isCountedElsewhere(object) && seen.add(object)) {
            left.add(object);
        }
    }

    private static boolean isCountedElsewhere(Object object) {
        return object instanceof Enum || object instanceof BufferKind || object instanceof Pool.Buffer;
    }

    @SuppressWarnings("ByteBufferBackingArray") // the whole array is kept, whatever the buffer shows of it
    private void visit(Object object) {
        if (object instanceof String text) {
            bytes += text.length();
        } else if (object instanceof byte[] array) {
            bytes += array.length;
        } else if (object instanceof ByteBuffer buffer && buffer.hasArray()) {
            add(buffer.array());
        } else if (object instanceof ByteBuffer buffer) {
            bytes += buffer.capacity();
        } else if (object.getClass().isArray()) {
            bytes += 8L * Array.getLength(object);
        } else if (object instanceof Collection<?> collection) {
            bytes += (long) ENTRY * collection.size();
            collection.forEach(this::add);
        } else if (object instanceof Map<?, ?> map) {
            bytes += (long) ENTRY * map.size();
            map.keySet().forEach(this::add);
            map.values().forEach(this::add);
        } else if (object.getClass().getName().startsWith("io.github.reslice.")) {
            follow(object);
        }
    }

    private void follow(Object object) {
        for (Class<?> type = object.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : FIELDS.get(type)) {
                try {
                    add(field.get(object));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}
